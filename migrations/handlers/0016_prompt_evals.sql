-- What models made of the tests of an evaluation, one row for each model, test and repeat (job type prompt_eval).
-- Live systems: only a new table; a short lock on nodes while the foreign key is made.

create table prompt_evals (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  -- Jobs are deleted when they are old, so it may name none any more.
  job_id uuid not null,
  -- The alias that was asked.
  model text not null,
  -- Both counted from 1.
  test integer not null check (test > 0),
  repeat integer not null check (repeat > 0),
  description text,
  -- Text of a model: escape it where it is shown. Empty where there was none.
  output text not null,
  -- True: the output ends in the middle.
  cut boolean not null,
  -- Null: the judge gave no verdict, or the evaluation ended before.
  pass boolean,
  score real check (score between 0 and 1),
  -- As the handler's README has it.
  asserts jsonb not null,
  error_code text,
  error_message text,
  model_served text,
  prompt_tokens integer,
  completion_tokens integer,
  latency_ms integer not null check (latency_ms >= 0),
  -- Without the judge; null when the gateway does not tell it.
  cost_usd numeric(14, 8) check (cost_usd >= 0),
  -- SHA-256 of the prompt as it was sent.
  prompt_hash text not null,
  temperature real not null,
  seed bigint,
  judge_model text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, job_id, test, model, repeat)
);
