-- What was asked of the AI gateway, and what it cost: one row for each call, whatever became of it and of its job.
-- Live systems: only a new table; a short lock on nodes while the foreign key is made.

create table ai_calls (
  id bigint generated always as identity primary key,
  collection_node_id uuid not null references nodes (id) on delete cascade,
  -- Jobs are deleted when they are old, so it may name none any more.
  job_id uuid not null,
  job_type text not null,
  run integer not null,
  -- Which of the job's questions it was, and which version of its prompt.
  question text not null check (length(question) between 1 and 200),
  prompt_version text not null,
  -- The alias that was asked for, and the model that answered.
  model_alias text not null,
  model_served text,
  prompt_tokens integer,
  completion_tokens integer,
  -- Of the completion tokens those that were only thought.
  reasoning_tokens integer,
  -- As the gateway tells it; null when it does not.
  cost_usd numeric(14, 8) check (cost_usd >= 0),
  -- The gateway's own name for the call.
  call_id text,
  latency_ms integer not null check (latency_ms >= 0),
  -- Null: an answer that could be used.
  error_code text,
  created_at timestamptz not null default clock_timestamp()
);

-- For the budget: a month of one collection.
create index ai_calls_spent on ai_calls (collection_node_id, created_at) include (cost_usd);
create index ai_calls_job on ai_calls (job_id);
