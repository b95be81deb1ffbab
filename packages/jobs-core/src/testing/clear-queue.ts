import { sql } from 'kysely'
import type { Queryable } from '../database/queryable.ts'
import { builder, readRows } from './read-rows.ts'

/** Removes every job with its history, every schedule, pause, breaker and worker: for the end of each test. Nodes and your own tables stay. Stop workers first. */
export async function clearQueue(db: Queryable): Promise<void> {
  await readRows(
    db,
    sql`with gone as (delete from job_queue), stopped as (delete from job_schedules), resumed as (delete from job_pauses),
      mended as (delete from service_breakers)
      delete from job_workers`.compile(builder()),
  )
}
