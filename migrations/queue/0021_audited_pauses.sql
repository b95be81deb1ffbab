-- Pauses and their ends are written down. Old callers go on.
-- Live systems: functions are replaced in an instant.

create or replace function pause_jobs(
  job_type text default null, collection_node_id uuid default null, paused_by text default null, reason text default null
) returns job_pauses
language sql
begin atomic
  with made as (
    insert into job_pauses as p (job_type, collection_node_id, paused_by, reason) values ($1, $2, $3, $4)
    on conflict (collection_node_id, job_type) do update set paused_at = p.paused_at
    returning p.*),
  noted as (
    insert into job_audit (actor, action, outcome, job_type, collection_node_id, reason)
    select job_actor($3), 'pause', case when m.paused_at >= statement_timestamp() then 'applied' else 'unchanged' end, $1, $2, left($4, 1000) from made m
    returning 1),
  told as (select tell_job_page() from noted)
  select m.* from made m where (select count(*) from told) >= 0;
end;

-- The same with whoever ends it and why, for the audit.
create function resume_jobs(job_type text, collection_node_id uuid, resumed_by text, reason text) returns boolean
language plpgsql
set search_path from current
as $$
declare
  ended boolean;
begin
  delete from job_pauses p where p.job_type is not distinct from $1 and p.collection_node_id is not distinct from $2;
  ended := found;
  insert into job_audit (actor, action, outcome, job_type, collection_node_id, reason)
  values (job_actor($3), 'resume', case when ended then 'applied' else 'unchanged' end, $1, $2, left($4, 1000));
  if not ended then return false; end if;
  perform unpark_jobs(1000);
  perform pg_notify('job_queue_wake', '');
  perform tell_job_page();
  return true;
end
$$;

create or replace function resume_jobs(job_type text default null, collection_node_id uuid default null) returns boolean
language plpgsql
set search_path from current
as $$
begin
  return resume_jobs($1, $2, null, null);
end
$$;
