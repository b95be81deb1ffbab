-- How many jobs ended, minute by minute and hour by hour, and how long they waited and ran: what the page draws. Workers add what they have counted every few
-- seconds, in the minute in which they say it; what a worker that is killed had not said yet is not in it.
-- Live systems: new tables, a short lock on nodes while the foreign keys are made. Workers of before add nothing.

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

-- By quarters of an hour. Bucket b holds what took at least 2^(b/2) milliseconds and less than 2^((b+1)/2); the first also everything shorter.
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
