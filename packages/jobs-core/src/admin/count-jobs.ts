import type { Kysely } from 'kysely'
import type { JobStatus, QueueDatabase } from '../database/tables.ts'
import { nobody } from './get-job.ts'
import { type Scope, scopeIds } from './scope.ts'

/** How many jobs of one type have one status. */
export interface JobCount {
  type: string
  status: JobStatus
  count: number
}

/** Counts jobs by type and status. Reads every job of the scope: for tools and tests, not for a page that polls. */
export async function countJobs(db: Kysely<QueueDatabase>, scope: Scope): Promise<JobCount[]> {
  const collections = scopeIds(scope)
  let query = db
    .selectFrom('job_queue')
    .select((eb) => ['job_type as type', 'status', eb.fn.countAll<string>().as('count')])
    .groupBy(['job_type', 'status'])
    .orderBy('job_type')
    .orderBy('status')
  if (collections) query = query.where('collection_node_id', 'in', [...collections, nobody])
  return (await query.execute()).map((row) => ({ ...row, count: Number(row.count) }))
}
