-- The queue itself. docs/job-lifecycle.md draws the states.
-- Live systems: only new tables; a short lock on nodes while the foreign key is made.
-- Where a job_queue of before has been adopted, its type and table stand already, brought to this shape by the files in adopt/:
-- what changes here changes there.

do $$
begin
  if to_regtype('job_status') is null then
    create type job_status as enum ('pending', 'running', 'completed', 'error', 'retry', 'cancelled');
  end if;
end
$$;

create table if not exists job_queue (
  id uuid primary key,
  collection_node_id uuid not null references nodes (id) on delete cascade,
  job_type text not null check (job_type <> ''),
  payload jsonb not null,
  status job_status not null default 'pending',
  priority smallint not null default 0,
  result jsonb,
  error_msg text,
  attempts smallint not null default 0 check (attempts >= 0),
  max_attempts smallint not null default 3 check (max_attempts >= 1),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  scheduled_for timestamptz not null default now(),
  -- The fence: one more at every claim, never less. Whoever writes about a run must know its number.
  run integer not null default 0,
  worker_id uuid,
  -- Claimed ahead of a free slot: its handler has not started, so rescue charges no attempt.
  prefetched boolean not null default false,
  rescues smallint not null default 0,
  snoozes smallint not null default 0,
  sequence bigint generated always as identity,
  unique_key text,
  unique_until text check (unique_until in ('claimed', 'finished')),
  unique_held boolean not null default false,
  cancel_requested_at timestamptz,
  correlation_id text,
  traceparent text,
  progress real,
  progress_text text,
  -- Neither changes from claim to settle, so a settle can stay on its page (HOT). No index may name status.
  ready boolean generated always as (status in ('pending', 'retry')) stored,
  failed boolean generated always as (status = 'error') stored,
  -- Twice the limits JavaScript checks (64 and 256 KiB): the two text forms differ in their spaces.
  constraint job_queue_payload_size check (octet_length(payload::text) <= 131072),
  constraint job_queue_result_size check (octet_length(result::text) <= 524288),
  constraint job_queue_unique_key_size check (length(unique_key) between 1 and 512),
  constraint job_queue_correlation_id_size check (length(correlation_id) between 1 and 200),
  constraint job_queue_unique_key_whole check (not unique_held or (unique_key is not null and unique_until is not null))
) with (
  fillfactor = 35,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 50000,
  autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_vacuum_cost_delay = 1
);

-- Time-ordered ids keep the primary key's inserts on its last page; PostgreSQL has them from 18.
do $$
begin
  if to_regprocedure('pg_catalog.uuidv7()') is not null then
    alter table job_queue alter column id set default uuidv7();
  else
    alter table job_queue alter column id set default gen_random_uuid();
  end if;
end
$$;

create index job_queue_ready on job_queue (priority desc, scheduled_for, sequence) where ready;
create index job_queue_ready_by_type on job_queue (job_type, priority desc, scheduled_for, sequence) where ready;
create index job_queue_collection on job_queue (collection_node_id, created_at desc, id desc);
create index job_queue_failed on job_queue (collection_node_id, created_at desc, id desc) where failed;
create index job_queue_worker on job_queue (worker_id, started_at) where not ready;
create unique index job_queue_unique_key on job_queue (collection_node_id, job_type, unique_key) where unique_held;

-- A new row per registration: a worker that lost its lease comes back under a new id.
create table job_workers (
  id uuid primary key,
  host text,
  pid integer,
  version text,
  types text[] not null default '{}',
  slots smallint not null default 1,
  registered_at timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  lease_expires_at timestamptz not null,
  idle boolean not null default false,
  draining boolean not null default false,
  running_since timestamptz not null default clock_timestamp(),
  dead_at timestamptz,
  rescued_at timestamptz
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- One row per run that did not simply succeed.
create table job_attempts (
  id bigint generated always as identity primary key,
  job_id uuid not null references job_queue (id) on delete cascade,
  run integer not null,
  attempt smallint not null,
  worker_id uuid,
  started_at timestamptz,
  ended_at timestamptz not null default clock_timestamp(),
  end_reason text not null check (
    end_reason in ('failed', 'timeout', 'lease_expired', 'interrupted', 'cancelled', 'snoozed', 'retried_by_admin')
  ),
  error_code text,
  error_msg text,
  error_stack text
);

create index job_attempts_job on job_attempts (job_id, run);

-- What a handler's step(name, …) returned, kept until the job completes.
create table job_steps (
  job_id uuid not null references job_queue (id) on delete cascade,
  name text not null,
  result jsonb not null,
  run integer not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (job_id, name),
  constraint job_steps_result_size check (octet_length(result::text) <= 2097152)
);
