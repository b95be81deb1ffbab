-- How many jobs ended, minute by minute and hour by hour, and how long they waited and ran: what the page draws. Workers add what they have counted every few
-- seconds, in the minute in which they say it; what a worker that is killed had not said yet is not in it.
-- Live systems: new tables and functions, a short lock on nodes while the foreign keys are made. Workers of before add nothing.

create table job_activity (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  span text not null check (span in ('minute', 'hour')),
  starts_at timestamptz not null,
  job_type text not null,
  completed integer not null default 0,
  -- For good.
  failed integer not null default 0,
  -- Attempts that failed, of jobs that are tried again.
  retried integer not null default 0,
  primary key (collection_node_id, span, starts_at, job_type)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index job_activity_by_age on job_activity (span, starts_at);

-- By the hour. Bucket b holds what took at least 2^(b/2) milliseconds and less than 2^((b+1)/2); the first also everything shorter.
create table job_durations (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  starts_at timestamptz not null,
  job_type text not null,
  -- wait: from when a job was due until its first run. run: of the run that completed it.
  measure text not null check (measure in ('wait', 'run')),
  bucket smallint not null check (bucket between 0 and 63),
  jobs integer not null,
  primary key (collection_node_id, starts_at, job_type, measure, bucket)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index job_durations_by_age on job_durations (starts_at);

-- Functions, because a policy that is looked at for each of many thousand rows costs more than reading them. Each collection's rows lie together in the index.

create function read_job_activity(collections uuid[], span text, spans integer)
returns table (job_type text, starts_at timestamptz, completed bigint, failed bigint, retried bigint)
language plpgsql stable rows 500
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  since constant timestamptz := date_trunc(read_job_activity.span, clock_timestamp(), 'UTC')
    - (read_job_activity.spans - 1) * ('1 ' || read_job_activity.span)::interval;
begin
  if read_job_activity.collections is null and may_see is null then
    return query
      select a.job_type, a.starts_at, sum(a.completed), sum(a.failed), sum(a.retried)
      from job_activity a where a.span = read_job_activity.span and a.starts_at >= since
      group by 1, 2;
  else
    return query
      select a.job_type, a.starts_at, sum(a.completed), sum(a.failed), sum(a.retried)
      from (select distinct c.id from unnest(coalesce(read_job_activity.collections, may_see)) c (id) where may_see is null or c.id = any (may_see)) w,
        lateral (
          select x.job_type, x.starts_at, x.completed, x.failed, x.retried from job_activity x
          where x.collection_node_id = w.id and x.span = read_job_activity.span and x.starts_at >= since
          offset 0) a
      group by 1, 2;
  end if;
end
$$;

-- Of this hour and the one before.
create function read_job_durations(collections uuid[]) returns table (job_type text, measure text, bucket smallint, jobs bigint)
language plpgsql stable rows 500
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  since constant timestamptz := date_trunc('hour', clock_timestamp(), 'UTC') - interval '1 hour';
begin
  if read_job_durations.collections is null and may_see is null then
    return query select d.job_type, d.measure, d.bucket, sum(d.jobs) from job_durations d where d.starts_at >= since group by 1, 2, 3;
  else
    return query
      select d.job_type, d.measure, d.bucket, sum(d.jobs)
      from (select distinct c.id from unnest(coalesce(read_job_durations.collections, may_see)) c (id) where may_see is null or c.id = any (may_see)) w,
        lateral (
          select x.job_type, x.measure, x.bucket, x.jobs from job_durations x
          where x.collection_node_id = w.id and x.starts_at >= since
          offset 0) d
      group by 1, 2, 3;
  end if;
end
$$;
