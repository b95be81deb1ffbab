import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'

/** A worker, as users may see it: what it can do and whether it is there, and not on which machine. */
export interface WorkerInfo {
  id: string
  version: string | null
  types: readonly string[]
  slots: number
  /** How many jobs it runs just now. Only those the caller may see. */
  running: number
  /** `lost`: its lease has run out, and its jobs are given to others. */
  state: 'alive' | 'draining' | 'lost'
  idle: boolean
  registeredAt: Date
  heartbeatAt: Date
  leaseExpiresAt: Date
}

/** Workers that were lost long ago are not listed. */
const query = statement<object, WorkerInfo>(
  'jobs_admin_list_workers',
  () => sql`
    select w.id, w.version, w.types, w.slots, w.idle, w.registered_at as "registeredAt", w.heartbeat_at as "heartbeatAt",
      w.lease_expires_at as "leaseExpiresAt",
      case when w.dead_at is not null or w.lease_expires_at < clock_timestamp() then 'lost' when w.draining then 'draining' else 'alive' end as state,
      (select count(*) from (
        select r.status, r.prefetched from job_queue r where not r.ready and r.worker_id = w.id order by r.claim desc limit 200 + w.slots) r
       where r.status = 'running' and not r.prefetched)::int as running
    from job_workers w
    where w.lease_expires_at > clock_timestamp() - interval '1 hour'
    order by w.dead_at nulls first, w.registered_at desc limit 200`,
)

/** Lists the workers of the last hour, those that are alive first, at most 200. They serve all tenants, so there is no scope. */
export async function listWorkers(db: Queryable): Promise<WorkerInfo[]> {
  return runQuery(db, query({}))
}
