import type { Kysely, Selectable } from 'kysely'
import type { JobQueueTable, QueueDatabase } from '../database/tables.ts'
import { isUuid } from '../text/is-uuid.ts'
import { jobNotFound, type Scope, scopeIds } from './scope.ts'

/** A row of job_queue. */
export type Job = Selectable<JobQueueTable>

/**
 * Reads one job.
 * @throws JobNotFoundError `JOB_NOT_FOUND`, also for a job outside the scope: the two look alike.
 */
export async function getJob(db: Kysely<QueueDatabase>, id: string, scope: Scope): Promise<Job> {
  const collections = scopeIds(scope)
  if (!isUuid(id)) throw jobNotFound(id)
  let query = db.selectFrom('job_queue').selectAll().where('id', '=', id)
  if (collections) query = query.where('collection_node_id', 'in', [...collections, nobody])
  const job = await query.executeTakeFirst()
  if (job) return job
  throw jobNotFound(id)
}

/** Stands in an empty list, which SQL does not have. */
export const nobody = '00000000-0000-0000-0000-000000000000'
