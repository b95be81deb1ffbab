import { ConfigurationError } from '@sidelinja/jobs-core'
import type pg from 'pg'
import { COLLECTION_ID, NEWSROOM_ID } from './collection.ts'

/** The playground's worker would look for the files of others in its own sample folders, and fail their jobs. Of types it does not run it leaves jobs alone. */
export async function refuseForeignJobs(pool: pg.Pool, types: readonly string[], advice: string): Promise<void> {
  const { rows } = await pool.query<{ job_type: string }>(
    `select job_type from job_queue where job_type = any($2) and collection_node_id <> all ($1::uuid[]) and status in ('pending', 'retry', 'running')
     union select job_type from job_schedules where job_type = any($2) and collection_node_id <> all ($1::uuid[]) and enabled
     order by 1 limit 1`,
    [[COLLECTION_ID, NEWSROOM_ID], types],
  )
  const [foreign] = rows
  if (foreign === undefined) return
  throw new ConfigurationError(
    'DATABASE_IN_USE',
    `The database holds ${foreign.job_type} jobs or schedules of other collections, whose files the playground does not have. ${advice}`,
  )
}
