import { AssertionError } from 'node:assert'
import type { Job } from '../../admin/get-job.ts'
import type { Queryable } from '../../database/queryable.ts'
import { JOB_STATUSES, type JobStatus } from '../../database/tables.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { checkTimeout } from '../check-timeout.ts'
import { builder, readRows } from '../read-rows.ts'
import { refuseUnknown } from '../refuse-unknown.ts'
import { describeJob } from './describe-job.ts'
import { waitUntil } from './wait-until.ts'

/** What to wait for, and how long. */
export interface WaitOptions {
  /** Which statuses end the wait. Default: the final ones, completed, error and cancelled. */
  status?: JobStatus | readonly JobStatus[]
  /** How long, in milliseconds. Default 10,000. */
  timeoutMs?: number
}

const finalStatuses: readonly JobStatus[] = ['completed', 'error', 'cancelled']

/**
 * Waits until a job has one of the statuses and returns its row. On a database of `createTestDatabase` it is woken by the change itself;
 * with a single client, or a Kysely that was made elsewhere, it looks every 10 ms.
 * @throws ConfigurationError `TEST_OPTION_INVALID` ·
 * AssertionError when the time is over, or the job has ended in another status: with the job's history, and what it waits for.
 */
export async function waitForJob(db: Queryable, id: string, options: WaitOptions = {}): Promise<Job> {
  const wanted = options.status === undefined ? finalStatuses : [options.status].flat()
  const timeoutMs = options.timeoutMs ?? 10_000
  checkWait(id, options, timeoutMs)
  const job = await waitUntil(db, timeoutMs, async () => {
    const [row] = await readRows(db, builder().selectFrom('job_queue').selectAll().where('id', '=', id).compile())
    return row && (wanted.includes(row.status) || finalStatuses.includes(row.status)) ? row : undefined
  })
  if (job && wanted.includes(job.status)) return job
  const what = wanted.join(' or ')
  const began = job ? `Job ${id} has ended and will not be ${what}` : `Job ${id} was not ${what} after ${timeoutMs} ms`
  const { status, text } = await describeJob(db, id)
  throw new AssertionError({ message: `${began}: ${text}`, actual: status, expected: what, operator: 'waitForJob' })
}

function checkWait(id: string, options: WaitOptions, timeoutMs: number): void {
  refuseUnknown(options, ['status', 'timeoutMs'], 'waitForJob')
  checkTimeout(timeoutMs, 'waitForJob')
  if (!isUuid(id)) throw new ConfigurationError('TEST_OPTION_INVALID', `waitForJob: a job's id is a uuid, got ${show(id)}.`)
  const statuses = options.status === undefined ? finalStatuses : [options.status].flat()
  if (statuses.length > 0 && statuses.every((status) => JOB_STATUSES.includes(status))) return
  throw new ConfigurationError(
    'TEST_OPTION_INVALID',
    `waitForJob: status must be one or several of ${JOB_STATUSES.join(', ')}, got ${show(options.status)}.`,
  )
}
