-- Audio peaks for drawing (job type generate_waveform).
-- Live systems: only a new table; a short lock on nodes while the foreign keys are made.

create table media_waveforms (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  -- The episode, meeting or dictation; its picture goes with it.
  media_node_id uuid not null references nodes (id) on delete cascade,
  -- overview: at most 4,000 points, for the whole; detail: 20 points a second, for looking closer.
  level text not null check (level in ('overview', 'detail')),
  duration_ms integer not null check (duration_ms >= 0),
  -- audiowaveform's JSON, version 2, 8 bits, one channel. json, not jsonb: it is served as it is, and jsonb would make it three times as large.
  content json not null,
  -- The job that made it. Jobs are deleted when they are old, so it may name none any more.
  job_id uuid,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, media_node_id, level)
);

-- For a delete of the media node.
create index media_waveforms_media on media_waveforms (media_node_id);
