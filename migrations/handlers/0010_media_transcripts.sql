-- Which media have a transcript, also one in which nothing is said: that has no segments (job types whisper_transcribe and srt_parse).
-- Live systems: only a new table; a short lock on nodes while the foreign keys are made. The transcripts that are there are entered by one statement that reads
-- the segments' primary key: about a second for a million of them. Those that workers of an older release write meanwhile have no row; their segments tell of them.

create table media_transcripts (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  media_node_id uuid not null references nodes (id) on delete cascade,
  -- Of the segments that do not say theirs.
  language text,
  -- The job that wrote the transcript. Jobs are deleted when they are old, so it may name none any more.
  job_id uuid,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, media_node_id)
);

create index media_transcripts_media on media_transcripts (media_node_id);

insert into media_transcripts (collection_node_id, media_node_id)
select collection_node_id, media_node_id from transcription_segments
union
select collection_node_id, media_node_id from media_subtitles;
