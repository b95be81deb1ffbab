import { AssertionError } from 'node:assert'
import type { Job } from '../../admin/get-job.ts'
import type { Queryable } from '../../database/queryable.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { show } from '../../text/show.ts'
import { checkTimeout } from '../check-timeout.ts'
import { waitUntil } from '../wait/wait-until.ts'
import { describeFound, describeMissing, twoSides } from './describe.ts'
import { readJobs } from './enqueued-jobs.ts'
import { checkExpected, differences, type ExpectedJob, type JobName, typeOf } from './expected-job.ts'

/** What {@link expectEnqueued} is given. */
export interface ExpectOptions<Input = unknown> extends ExpectedJob<Input> {
  /** How many such jobs there must be, 1 or more. Default: at least one. */
  count?: number
  /** How long to wait for them, in milliseconds, for code that enqueues after it has returned. Default 0. */
  timeoutMs?: number
}

/**
 * Asserts that a job was enqueued, in whatever state it is now.
 *
 * ```ts
 * const [mail] = await expectEnqueued(db, sendMail, { payload: { to: 'ada@example.com' }, priority: 10 })
 * ```
 *
 * @param job its definition or the name of its type.
 * @returns the jobs that are like this, in the order they were enqueued.
 * @throws AssertionError, of whichever framework's tests, that says in what the nearest job differs and what was enqueued instead ·
 * ConfigurationError `TEST_OPTION_INVALID`
 */
export async function expectEnqueued<Input>(
  db: Queryable,
  job: JobName<Input>,
  options: ExpectOptions<NoInfer<Input>> = {},
): Promise<[Job, ...Job[]]> {
  const { count, timeoutMs = 0, ...expected } = options as ExpectOptions
  const type = typeOf(job, 'expectEnqueued')
  checkExpected(expected, `expectEnqueued(${type})`, ['count', 'timeoutMs'])
  checkCount(count, type)
  checkTimeout(timeoutMs, `expectEnqueued(${type})`)
  let all: Job[] = []
  const found = await waitUntil(db, timeoutMs, async () => {
    all = await readJobs(db)
    const like = all.filter((candidate) => candidate.job_type === type && differences(candidate, expected).length === 0)
    return like.length > 0 && (count === undefined || like.length === count) ? like : undefined
  })
  if (found) return found as [Job, ...Job[]]
  const wanted = { type, count, expected }
  throw new AssertionError({ message: describeMissing(all, wanted), ...twoSides(all, wanted), operator: 'expectEnqueued' })
}

/**
 * Asserts that no such job was enqueued. Name as little as possible: the more is named, the easier it passes.
 * @throws AssertionError that lists the jobs that are like this · ConfigurationError `TEST_OPTION_INVALID`
 */
export async function refuteEnqueued<Input>(db: Queryable, job: JobName<Input>, options: ExpectedJob<NoInfer<Input>> = {}): Promise<void> {
  const expected = options as ExpectedJob
  const type = typeOf(job, 'refuteEnqueued')
  checkExpected(expected, `refuteEnqueued(${type})`)
  const found = (await readJobs(db)).filter((other) => other.job_type === type && differences(other, expected).length === 0)
  if (found.length === 0) return
  throw new AssertionError({
    message: describeFound(found, { type, expected }),
    actual: found.length,
    expected: 0,
    operator: 'refuteEnqueued',
  })
}

function checkCount(count: number | undefined, type: string): void {
  if (count === undefined || (Number.isInteger(count) && count >= 1)) return
  throw new ConfigurationError(
    'TEST_OPTION_INVALID',
    `expectEnqueued(${type}): count must be a whole number, 1 or more, got ${show(count)}. For none at all there is refuteEnqueued.`,
  )
}
