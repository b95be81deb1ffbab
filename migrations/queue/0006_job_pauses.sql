-- Pauses: jobs of a type, of a collection, or of a type within a collection that no worker takes for now. docs/operations.md tells how.
-- Live systems: a new table and new functions; a short lock on nodes while the foreign key is made, and one on job_queue for an instant: a column
-- with a constant default rewrites nothing. Workers of before do not know pauses and go on taking such jobs until they are replaced.

create table job_pauses (
  id bigint generated always as identity primary key,
  job_type text check (job_type <> ''),
  collection_node_id uuid references nodes (id) on delete cascade,
  paused_by text,
  reason text,
  paused_at timestamptz not null default clock_timestamp(),
  constraint job_pauses_of_something check (job_type is not null or collection_node_id is not null),
  constraint job_pauses_text_size check (length(paused_by) between 1 and 200 and length(reason) between 1 and 1000)
);

-- At most one of each kind. Led by the collection, for the foreign key.
create unique index job_pauses_once on job_pauses (collection_node_id, job_type) nulls not distinct;

-- Pauses a type everywhere (no collection), a collection (no type), or a type within a collection. What runs goes on; no claim that
-- begins after the commit takes such a job. What is paused already stays as it is: by whom, why and since when.
create function pause_jobs(
  job_type text default null, collection_node_id uuid default null, paused_by text default null, reason text default null
) returns job_pauses
language sql
begin atomic
  insert into job_pauses as p (job_type, collection_node_id, paused_by, reason) values ($1, $2, $3, $4)
  on conflict (collection_node_id, job_type) do update set paused_at = p.paused_at
  returning p.*;
end;

-- Jobs of a paused collection that have come to the head of the queue stand aside, outside the indexes that claims read, so that any number of
-- them costs a claim nothing. This is never the truth: a claim looks at job_pauses, and what is parked for no reason is let go.
-- Only waiting jobs are ever parked.
alter table job_queue add column parked boolean not null default false;

-- Lets due jobs of paused collections stand aside, at most so many of each type. Pauses are locked while it looks: whoever ends one waits for it, and then
-- lets go all that was parked under it.
create function park_paused_jobs(job_types text[], max_per_type integer) returns integer
language sql
begin atomic
  with paused as materialized (
    select p.job_type, p.collection_node_id from job_pauses p where p.collection_node_id is not null order by p.id for key share),
  head as materialized (
    select h.id
    from unnest($1) t (job_type), lateral (
      select j.id, j.job_type, j.collection_node_id from job_queue j
      where j.ready and not j.parked and j.job_type between t.job_type and t.job_type and j.scheduled_for <= now()
      order by j.job_type, j.priority desc, j.scheduled_for, j.sequence
      limit $2) h
    where exists (
      select from paused p where p.collection_node_id = h.collection_node_id and coalesce(p.job_type = h.job_type, true))),
  target as materialized (
    select q.id from job_queue q where q.id = any (array(select head.id from head)) and q.ready and not q.parked
    for no key update skip locked),
  moved as (update job_queue q set parked = true where q.id = any (array(select target.id from target)) returning q.id)
  select count(*)::integer from moved;
end;

-- Takes back into the queue what is parked and not paused any more, in the queue's order, at most so many of each collection and type; wakes
-- idle workers. `more` says that there may be others.
create function unpark_jobs(max_per_group integer) returns table (released integer, more boolean)
language sql
begin atomic
  with recursive groups as (
    (select q.collection_node_id, q.job_type from job_queue q where q.ready and q.parked order by q.collection_node_id, q.job_type limit 1)
    union all
    select n.collection_node_id, n.job_type
    from groups g, lateral (
      select q.collection_node_id, q.job_type from job_queue q
      where q.ready and q.parked and (q.collection_node_id, q.job_type) > (g.collection_node_id, g.job_type)
      order by q.collection_node_id, q.job_type limit 1) n),
  free as materialized (
    select g.collection_node_id, g.job_type from groups g
    where not exists (
      select from job_pauses p where p.collection_node_id = g.collection_node_id and coalesce(p.job_type = g.job_type, true))),
  target as materialized (
    select h.id from free f, lateral (
      select j.id from job_queue j
      where j.ready and j.parked and j.collection_node_id = f.collection_node_id and j.job_type = f.job_type
      order by j.collection_node_id, j.job_type, j.priority desc, j.scheduled_for, j.sequence
      limit $1
      for no key update skip locked) h),
  gone as (
    update job_queue q set parked = false where q.id = any (array(select target.id from target)) returning q.job_type),
  woken as (select wake_idle_workers(array_agg(distinct gone.job_type)) from gone having count(*) > 0)
  select (select count(*) from gone)::integer, exists (select from free) from (select count(*) from woken) w;
end;

-- Ends exactly that pause, and tells every worker that there may be work. False when there was none. What had been set aside comes back in its order:
-- the first thousand of each type at once, the rest by the workers.
create function resume_jobs(job_type text default null, collection_node_id uuid default null) returns boolean
language plpgsql
set search_path from current
as $$
begin
  delete from job_pauses p where p.job_type is not distinct from $1 and p.collection_node_id is not distinct from $2;
  if not found then return false; end if;
  perform unpark_jobs(1000);
  perform pg_notify('job_queue_wake', '');
  return true;
end
$$;
