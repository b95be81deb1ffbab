import { sql } from 'kysely'
import type { Queryable } from '../database/queryable.ts'
import { builder, readRows } from './read-rows.ts'

/** Removes every job with its history, every schedule, pause, breaker and worker, the audit, the counts and the statistics: for the end of each test. Nodes and your own tables stay. Stop workers first. */
export async function clearQueue(db: Queryable): Promise<void> {
  await readRows(
    db,
    sql`with gone as (delete from job_queue), stopped as (delete from job_schedules), resumed as (delete from job_pauses),
      mended as (delete from service_breakers), forgotten as (delete from job_audit), noticed as (delete from job_ignored_errors), undone as (delete from job_bulk_actions),
      uncounted as (delete from job_counts), quiet as (delete from job_activity), instant as (delete from job_durations), due as (update job_count_rounds set next_at = '-infinity', counted_at = null)
      delete from job_workers`.compile(builder()),
  )
}
