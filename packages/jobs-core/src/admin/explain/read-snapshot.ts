import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import { MAX_AHEAD, type Snapshot } from './snapshot.ts'

const ms = (time: string) => sql.raw(`floor(extract(epoch from ${time}) * 1000)`)

/*
 * One statement, so that it is one moment, and bounded whatever the table holds: at most 100 workers, of each the newest runs, and of the jobs ahead a
 * thousand, read in the order of the index. The answer is text, which no plugin of the caller's Kysely renames.
 */
const query = statement<{ id: string; collections: readonly string[] | null }, { snapshot: string }>(
  'jobs_admin_explain',
  (p) => sql`
    with job as materialized (
      select q.*, clock_timestamp() as seen_at from job_queue q
      where id = ${p('id')}::uuid and (${p('collections')}::uuid[] is null or collection_node_id = any(${p('collections')}::uuid[]))),
    pauses as materialized (
      select p.* from job_pauses p, job j
      where coalesce(p.job_type = j.job_type, true) and coalesce(p.collection_node_id = j.collection_node_id, true) and j.ready
      order by p.paused_at, p.id),
    workers as materialized (
      select w.*, w.dead_at is null and w.lease_expires_at > j.seen_at as alive from job_workers w, job j
      where j.ready and j.job_type = any(w.types) order by w.dead_at desc nulls first, w.registered_at desc limit 100),
    down as materialized (
      select distinct t.key as job_type, b.service, b.opened_at, b.probe_at, b.error_code, b.error_msg, b.http_status,
        coalesce(b.probe_expires_at > j.seen_at, false) as probing
      from workers w, job j, jsonb_each(w.services) t, service_breakers b
      where w.alive and not w.draining and t.value ? b.service and b.opened_at is not null),
    busy as materialized (
      select w.id, (
          select count(*) from (
            select r.status, r.prefetched from job_queue r
            where not r.ready and r.worker_id = w.id order by r.claim desc limit 200 + w.slots) r
          where r.status = 'running' and not r.prefetched)::int as running
      from workers w where w.alive),
    ahead as materialized (
      select a.* from (select distinct unnest(w.types) as job_type from workers w where w.alive and not w.draining) t, job j, lateral (
        select h.job_type, h.collection_node_id from (
          (select b.job_type, b.collection_node_id from job_queue b
           where b.ready and not b.parked and b.job_type = t.job_type and b.priority > j.priority and b.scheduled_for <= j.seen_at
           order by b.job_type, b.priority desc, b.scheduled_for, b.sequence limit ${sql.lit(MAX_AHEAD)} + 1)
          union all
          (select b.job_type, b.collection_node_id from job_queue b
           where b.ready and not b.parked and b.job_type = t.job_type and b.priority = j.priority and b.scheduled_for <= j.seen_at
             and (b.scheduled_for, b.sequence) < (j.scheduled_for, j.sequence)
           order by b.job_type, b.priority desc, b.scheduled_for, b.sequence limit ${sql.lit(MAX_AHEAD)} + 1)) h) a
      limit ${sql.lit(MAX_AHEAD)} + 1)
    select json_build_object(
      'now', ${ms('j.seen_at')},
      'job', json_build_object('id', j.id, 'type', j.job_type, 'collection', j.collection_node_id, 'status', j.status,
        'attempts', j.attempts, 'maxAttempts', j.max_attempts, 'error', j.error_msg, 'scheduledFor', ${ms('j.scheduled_for')},
        'startedAt', ${ms('j.started_at')}, 'completedAt', ${ms('j.completed_at')}, 'prefetched', j.prefetched,
        'cancelRequestedAt', ${ms('j.cancel_requested_at')}),
      'runner', (
        select json_build_object('host', w.host, 'pid', w.pid, 'alive', w.dead_at is null and w.lease_expires_at > j.seen_at,
          'silentMs', ${ms('j.seen_at - w.heartbeat_at')})
        from job_workers w where j.status = 'running' and w.id = j.worker_id),
      'lastAttempt', (
        select json_build_object('end', a.end_reason, 'code', a.error_code, 'at', ${ms('a.ended_at')})
        from job_attempts a where a.job_id = j.id order by a.run desc, a.id desc limit 1),
      'pauses', (
        select coalesce(json_agg(json_build_object('type', p.job_type, 'collection', p.collection_node_id, 'by', p.paused_by,
          'reason', p.reason, 'since', ${ms('p.paused_at')})), '[]')
        from pauses p),
      'services', (
        select coalesce(json_agg(json_build_object('name', d.service, 'since', ${ms('d.opened_at')}, 'code', d.error_code,
          'status', d.http_status, 'error', d.error_msg, 'probeAt', ${ms('d.probe_at')}, 'probing', d.probing) order by d.opened_at, d.service), '[]')
        from down d where d.job_type = j.job_type),
      'workers', (
        select coalesce(json_agg(json_build_object('alive', w.alive, 'draining', w.draining, 'slots', w.slots,
          'running', coalesce(b.running, 0), 'heartbeatAt', ${ms('w.heartbeat_at')})), '[]')
        from workers w left join busy b using (id)),
      'ahead', (
        select count(*) from ahead a where not exists (
          select from job_pauses p
          where coalesce(p.job_type = a.job_type, true) and coalesce(p.collection_node_id = a.collection_node_id, true))
          and not exists (select from down d where d.job_type = a.job_type))
    )::text as snapshot
    from job j`,
)

/** Reads what there is to know about a job; undefined when there is none in the scope. */
export async function readSnapshot(db: Queryable, id: string, collections: readonly string[] | null): Promise<Snapshot | undefined> {
  const [row] = await runQuery(db, query({ id, collections }))
  return row && (JSON.parse(row.snapshot) as Snapshot)
}
