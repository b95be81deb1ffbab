import type { PoolClient } from 'pg'
import type { QueueSession } from './adoption.ts'

/*
 * A worker asks for jobs all the time, so the last statement of at least one of its connections names the queue. Of another role's
 * session PostgreSQL tells nothing but that it is there, unless ours is a member of pg_read_all_stats.
 */
const query = `
  select a.pid, a.usename as "user", nullif(a.application_name, '') as application,
    coalesce(host(a.client_addr), case when a.query is null or a.query = '<insufficient privilege>' then 'unknown' else 'local' end) as host,
    extract(epoch from clock_timestamp() - a.state_change)::float8 * 1000 as "quietMs",
    case when l.held then 'holds a lock' when a.query ~* 'job_queue' then 'used the queue' else 'cannot be seen' end as evidence
  from pg_stat_activity a
  cross join lateral (
    select exists (
      select from pg_locks l
      where l.pid = a.pid and l.granted and l.relation = to_regclass('job_queue')
        and l.database = (select oid from pg_database where datname = current_database())
    ) as held
  ) l
  where a.datname = current_database() and a.pid <> pg_backend_pid() and a.usesysid is not null
    and (l.held or a.query ~* 'job_queue' or a.query = '<insufficient privilege>')
    and coalesce(a.backend_type, 'client backend') = 'client backend'
  order by a.pid`

/** Who else has this queue open, or may have. */
export async function findSessions(client: PoolClient): Promise<QueueSession[]> {
  return (await client.query<QueueSession>(query)).rows
}
