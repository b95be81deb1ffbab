-- What an AI made of a medium's transcript: title, description, chapters, topics, people, quotes (job type openrouter_analyze).
-- Live systems: only a new table; a short lock on nodes while the foreign keys are made.

create table media_analyses (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  media_node_id uuid not null references nodes (id) on delete cascade,
  -- As the handler's README has it. Text of strangers and of a model: escape it where it is shown.
  content jsonb not null,
  language text,
  -- The model's alias and the version of the prompt that made it.
  model text not null,
  prompt_version text not null,
  job_id uuid,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, media_node_id)
);

create index media_analyses_media on media_analyses (media_node_id);
