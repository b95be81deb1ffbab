-- Who did what to which job: every action of a person, applied or refused. Rows are only added, and outlive their job and its collection.
-- Live systems: a new table; nothing is locked.

create table job_audit (
  id bigint generated always as identity primary key,
  acted_at timestamptz not null default clock_timestamp(),
  -- app.user_id where the application set it, else whom the caller named.
  actor text check (length(actor) between 1 and 200),
  database_role text not null default session_user,
  action text not null check (action in ('retry', 'cancel', 'pause', 'resume', 'read_raw', 'summarize')),
  -- unchanged: it was so already.
  outcome text not null check (outcome in ('applied', 'requested', 'unchanged', 'refused')),
  -- Why it was refused, as in docs/errors.md.
  code text check (length(code) between 1 and 100),
  -- No foreign keys: what happened stays known. Of a job that is not there or not the actor's, only the id that was asked for.
  job_id uuid,
  run integer,
  job_type text,
  collection_node_id uuid,
  status_before text,
  status_after text,
  reason text check (length(reason) between 1 and 1000),
  bulk_id uuid
);

create index job_audit_collection on job_audit (collection_node_id, id desc);
create index job_audit_job on job_audit (job_id, id desc) where job_id is not null;
create index job_audit_bulk on job_audit (bulk_id, id) where bulk_id is not null;
-- For retention.
create index job_audit_time on job_audit using brin (acted_at);
