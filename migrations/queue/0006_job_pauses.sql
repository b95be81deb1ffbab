-- Pauses: jobs of a type, of a collection, or of a type within a collection that no worker takes for now. docs/operations.md tells how.
-- Live systems: a new table and new functions; a short lock on nodes while the foreign key is made. Workers of before do not know
-- pauses and go on taking such jobs until they are replaced.

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

-- Ends exactly that pause, and tells every worker that there may be work. False when there was none.
create function resume_jobs(job_type text default null, collection_node_id uuid default null) returns boolean
language sql
begin atomic
  with ended as (
    delete from job_pauses p where p.job_type is not distinct from $1 and p.collection_node_id is not distinct from $2 returning p.id),
  told as (select pg_notify('job_queue_wake', '') from ended)
  select count(*) > 0 from told;
end;
