-- Why a job is not running: everything that could keep it, as it is at one moment. A function, because it looks at machines and jobs of everybody, of
-- which a user is told no more than counts. docs/operations.md says what is made of it.
-- One statement, and bounded whatever the table holds: at most 100 workers, of each the newest runs, and of the jobs ahead a thousand, read in
-- the order of the index. The answer is text, which no plugin of a query builder renames.
-- Live systems: a new function; nothing is locked.

create function explain_job_snapshot(job_id uuid, collections uuid[] default null) returns text
language sql stable
begin atomic
  with job as materialized (
    select q.id, q.job_type, q.collection_node_id, q.status, q.ready, q.attempts, q.max_attempts, q.error_msg, q.scheduled_for, q.started_at,
      q.completed_at, q.prefetched, q.cancel_requested_at, q.worker_id, q.priority, q.sequence, clock_timestamp() as seen_at
    from job_queue q
    where q.id = $1 and ($2 is null or q.collection_node_id = any($2))
      and ((select job_action_scope(false)) is null or q.collection_node_id = any((select job_action_scope(false))::uuid[]))),
  pauses as materialized (
    select p.* from job_pauses p, job j
    where coalesce(p.job_type = j.job_type, true) and coalesce(p.collection_node_id = j.collection_node_id, true) and j.ready
    order by p.paused_at, p.id),
  workers as materialized (
    select w.id, w.types, w.services, w.draining, w.slots, w.heartbeat_at, w.dead_at is null and w.lease_expires_at > j.seen_at as alive
    from job_workers w, job j
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
         order by b.job_type, b.priority desc, b.scheduled_for, b.sequence limit 1000 + 1)
        union all
        (select b.job_type, b.collection_node_id from job_queue b
         where b.ready and not b.parked and b.job_type = t.job_type and b.priority = j.priority and b.scheduled_for <= j.seen_at
           and (b.scheduled_for, b.sequence) < (j.scheduled_for, j.sequence)
         order by b.job_type, b.priority desc, b.scheduled_for, b.sequence limit 1000 + 1)) h) a
    limit 1000 + 1)
  select json_build_object(
    'now', floor(extract(epoch from j.seen_at) * 1000),
    'job', json_build_object('id', j.id, 'type', j.job_type, 'collection', j.collection_node_id, 'status', j.status,
      'attempts', j.attempts, 'maxAttempts', j.max_attempts, 'error', j.error_msg, 'scheduledFor', floor(extract(epoch from j.scheduled_for) * 1000),
      'startedAt', floor(extract(epoch from j.started_at) * 1000), 'completedAt', floor(extract(epoch from j.completed_at) * 1000), 'prefetched', j.prefetched,
      'cancelRequestedAt', floor(extract(epoch from j.cancel_requested_at) * 1000)),
    'runner', (
      select json_build_object(
        -- Machines are the operator's business, not a user's.
        'host', case when nullif(current_setting('app.user_id', true), '') is null then w.host end,
        'pid', case when nullif(current_setting('app.user_id', true), '') is null then w.pid end, 'alive', w.dead_at is null and w.lease_expires_at > j.seen_at,
        'silentMs', floor(extract(epoch from j.seen_at - w.heartbeat_at) * 1000))
      from job_workers w where j.status = 'running' and w.id = j.worker_id),
    'lastAttempt', (
      select json_build_object('end', a.end_reason, 'code', a.error_code, 'at', floor(extract(epoch from a.ended_at) * 1000))
      from job_attempts a where a.job_id = j.id order by a.run desc, a.id desc limit 1),
    'pauses', (
      select coalesce(json_agg(json_build_object('type', p.job_type, 'collection', p.collection_node_id, 'by', p.paused_by,
        'reason', p.reason, 'since', floor(extract(epoch from p.paused_at) * 1000))), '[]')
      from pauses p),
    'services', (
      select coalesce(json_agg(json_build_object('name', d.service, 'since', floor(extract(epoch from d.opened_at) * 1000), 'code', d.error_code,
        'status', d.http_status,
        -- May hold the beginning of an answer about anybody's job.
        'error', case when nullif(current_setting('app.user_id', true), '') is null then d.error_msg end, 'probeAt', floor(extract(epoch from d.probe_at) * 1000), 'probing', d.probing) order by d.opened_at, d.service), '[]')
      from down d where d.job_type = j.job_type),
    'workers', (
      select coalesce(json_agg(json_build_object('alive', w.alive, 'draining', w.draining, 'slots', w.slots,
        'running', coalesce(b.running, 0), 'heartbeatAt', floor(extract(epoch from w.heartbeat_at) * 1000))), '[]')
      from workers w left join busy b using (id)),
    'ahead', (
      select count(*) from ahead a where not exists (
        select from job_pauses p
        where coalesce(p.job_type = a.job_type, true) and coalesce(p.collection_node_id = a.collection_node_id, true))
        and not exists (select from down d where d.job_type = a.job_type))
  )::text
  from job j;
end;
