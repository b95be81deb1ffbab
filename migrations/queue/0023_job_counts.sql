-- One count for all who look: how many jobs of which type and status each collection has. Counted by whoever asks first when it is due, never by two at
-- once, and never so often that it takes more than about half a hundredth of a processor.
-- Live systems: new tables and functions; a short lock on nodes while the foreign keys are made.

create table job_counts (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  job_type text not null,
  status job_status not null,
  jobs integer not null,
  -- There are at least so many.
  capped boolean not null default false,
  oldest_due_at timestamptz,
  counted_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, job_type, status)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- live: waiting, running and failed, all at once. finished: completed and cancelled, a few collections at a time.
create table job_count_rounds (
  kind text primary key check (kind in ('live', 'finished')),
  counted_at timestamptz,
  next_at timestamptz not null default '-infinity',
  took_ms real
);
insert into job_count_rounds (kind) values ('live'), ('finished');

create table job_count_collections (
  collection_node_id uuid primary key references nodes (id) on delete cascade,
  counted_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- Waiting, running and failed jobs, through the indexes that hold nothing else.
create function count_live_jobs() returns boolean
language plpgsql
set search_path from current
as $$
declare
  began constant timestamptz := clock_timestamp();
begin
  perform from job_count_rounds r where r.kind = 'live' and r.next_at <= clock_timestamp() for update skip locked;
  if not found then return false; end if;
  with counted as materialized (
    select q.collection_node_id, q.job_type, q.status, count(*)::integer as jobs, min(q.scheduled_for) filter (where q.scheduled_for <= began) as oldest
    from (
      select r.collection_node_id, r.job_type, r.status, r.scheduled_for from job_queue r where r.ready and not r.parked
      union all
      select r.collection_node_id, r.job_type, r.status, r.scheduled_for from job_queue r where r.ready and r.parked) q
    group by 1, 2, 3
    union all
    select q.collection_node_id, q.job_type, 'running', count(*)::integer, null
    from job_workers w join job_queue q on not q.ready and q.worker_id = w.id and q.claim >= w.held_from and q.status = 'running'
    group by 1, 2
    union all
    select q.collection_node_id, q.job_type, 'error', count(*)::integer, null from job_queue q where q.failed group by 1, 2),
  gone as (
    delete from job_counts c
    where c.status in ('pending', 'retry', 'running', 'error')
      and not exists (select from counted n where (n.collection_node_id, n.job_type, n.status) = (c.collection_node_id, c.job_type, c.status)))
  insert into job_counts as c (collection_node_id, job_type, status, jobs, oldest_due_at)
  select n.collection_node_id, n.job_type, n.status, n.jobs, n.oldest from counted n where exists (select from nodes where id = n.collection_node_id)
  on conflict (collection_node_id, job_type, status) do update
  set jobs = excluded.jobs, oldest_due_at = excluded.oldest_due_at, counted_at = clock_timestamp()
  where (c.jobs, c.oldest_due_at) is distinct from (excluded.jobs, excluded.oldest_due_at);
  update job_count_rounds r
  set counted_at = began, took_ms = extract(epoch from clock_timestamp() - began) * 1000,
    next_at = clock_timestamp() + greatest(interval '5 seconds', 400 * (clock_timestamp() - began))
  where r.kind = 'live';
  return true;
end
$$;

-- Finished jobs of the collections that were counted longest ago: of each the newest ten thousand. Stops after a twentieth of a second.
create function count_finished_jobs() returns boolean
language plpgsql
set search_path from current
as $$
declare
  most constant integer := 10000;
  began constant timestamptz := clock_timestamp();
  whose uuid;
begin
  perform from job_count_rounds r where r.kind = 'finished' and r.next_at <= clock_timestamp() for update skip locked;
  if not found then return false; end if;
  for whose in
    with recursive mine as (
      (select q.collection_node_id from job_queue q order by q.collection_node_id limit 1)
      union all
      select (select q.collection_node_id from job_queue q where q.collection_node_id > m.collection_node_id order by q.collection_node_id limit 1)
      from mine m where m.collection_node_id is not null),
    known as (
      select m.collection_node_id from mine m where m.collection_node_id is not null
      union
      select c.collection_node_id from job_count_collections c)
    select k.collection_node_id from known k left join job_count_collections c using (collection_node_id)
    where exists (select from nodes n where n.id = k.collection_node_id)
    order by c.counted_at nulls first
  loop
    with newest as materialized (
      select q.job_type, q.status from job_queue q
      where q.collection_node_id = whose and q.status in ('completed', 'cancelled')
      order by q.created_at desc, q.id desc limit most + 1),
    counted as materialized (
      select n.job_type, n.status, count(*)::integer as jobs, (select count(*) from newest) > most as capped from newest n group by 1, 2),
    gone as (
      delete from job_counts c
      where c.collection_node_id = whose and c.status in ('completed', 'cancelled')
        and not exists (select from counted n where (n.job_type, n.status) = (c.job_type, c.status)))
    insert into job_counts as c (collection_node_id, job_type, status, jobs, capped)
    select whose, n.job_type, n.status, n.jobs, n.capped from counted n
    on conflict (collection_node_id, job_type, status) do update
    set jobs = excluded.jobs, capped = excluded.capped, counted_at = clock_timestamp()
    where (c.jobs, c.capped) is distinct from (excluded.jobs, excluded.capped);
    insert into job_count_collections (collection_node_id) values (whose)
    on conflict (collection_node_id) do update set counted_at = clock_timestamp();
    exit when clock_timestamp() > began + interval '50 milliseconds';
  end loop;
  update job_count_rounds r
  set counted_at = began, took_ms = extract(epoch from clock_timestamp() - began) * 1000,
    next_at = clock_timestamp() + greatest(interval '5 seconds', 400 * (clock_timestamp() - began))
  where r.kind = 'finished';
  return true;
end
$$;
