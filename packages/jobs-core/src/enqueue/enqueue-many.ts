import type { Queryable } from '../database/queryable.ts'
import type { JobDefinition } from '../definition/define-job.ts'
import { InvalidPayloadError } from '../errors/permanent-error.ts'
import { enqueueJobs } from '../queue/enqueue-jobs.ts'
import type { EnqueueOptions, EnqueueResult, NewJob } from './options.ts'
import { defined, prepareJob } from './prepare.ts'

/** One job of an {@link enqueueMany} call: its payload and what differs from the options all of them share. */
export interface ManyItem<Input> extends Partial<EnqueueOptions> {
  payload: Input
}

/** As many as one statement takes; more are refused rather than cut into statements that could half succeed. */
const MAX_JOBS_PER_CALL = 50_000

/**
 * Puts thousands of jobs of one type into the queue in one statement.
 * @param items each with its payload and, where it differs, its own options.
 * @param shared options of every job that does not name its own.
 * @returns one result per item, in the same order. Of equal unique keys in one call the first wins.
 * @throws InvalidPayloadError as {@link enqueue}; the message names the item. Nothing is enqueued then.
 */
export async function enqueueMany<Input>(
  db: Queryable,
  definition: JobDefinition<Input, unknown>,
  items: readonly ManyItem<Input>[],
  shared: Partial<EnqueueOptions> = {},
): Promise<EnqueueResult[]> {
  if (items.length > MAX_JOBS_PER_CALL) {
    throw new InvalidPayloadError(
      'TOO_MANY_JOBS',
      `enqueueMany(${definition.type}): ${items.length} jobs in one call; at most ${MAX_JOBS_PER_CALL}. Split the list, inside one transaction if all or none must exist.`,
    )
  }
  const jobs: NewJob[] = []
  for (const [index, item] of items.entries()) {
    const { payload, ...own } = item
    const options = { ...shared, ...defined(own) } as EnqueueOptions
    jobs.push(await prepareJob(definition, payload, options, `enqueueMany(${definition.type})[${index}]`))
  }
  return jobs.length === 0 ? [] : enqueueJobs(db, jobs)
}
