-- Minutes of meetings: summary, decisions, action points and open questions (job type meeting_summarize).
-- Live systems: only a new table; a short lock on nodes while the foreign keys are made.

create table meeting_minutes (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  media_node_id uuid not null references nodes (id) on delete cascade,
  -- As the handler's README has it. Text of strangers and of a model: escape it where it is shown. Somebody may edit it.
  content jsonb not null,
  -- The content as the newest job left it: where it differs, somebody has edited it, and no job replaces it.
  written_md5 text not null,
  -- What a job made of the meeting after that.
  suggestion jsonb,
  language text,
  -- The model's alias and the version of the prompt of the newest job.
  model text not null,
  prompt_version text not null,
  job_id uuid,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, media_node_id)
);

create index meeting_minutes_media on meeting_minutes (media_node_id);
