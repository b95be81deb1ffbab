import type { Job } from '../../admin/get-job.ts'
import type { Queryable } from '../../database/queryable.ts'
import { builder, readRows } from '../read-rows.ts'
import { checkExpected, differences, type ExpectedJob, type JobName, typeOf } from './expected-job.ts'

/**
 * Jobs in whatever state, in the order they were enqueued.
 * @param job only those of this type: its definition or its name. Default: all.
 * @param expected only those that are like this.
 * @throws ConfigurationError `TEST_OPTION_INVALID`
 */
export async function enqueuedJobs<Input = unknown>(
  db: Queryable,
  job?: JobName<Input>,
  expected: ExpectedJob<NoInfer<Input>> = {},
): Promise<Job[]> {
  checkExpected(expected as ExpectedJob, 'enqueuedJobs')
  const type = job === undefined ? undefined : typeOf(job, 'enqueuedJobs')
  const jobs = await readJobs(db)
  return jobs.filter((found) => (type === undefined || found.job_type === type) && differences(found, expected as ExpectedJob).length === 0)
}

export function readJobs(db: Queryable): Promise<Job[]> {
  return readRows(db, builder().selectFrom('job_queue').selectAll().orderBy('sequence').compile())
}
