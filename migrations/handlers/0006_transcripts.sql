-- Transcripts that can be searched, and the subtitle files made of them (job types whisper_transcribe and srt_parse).
-- Live systems: new functions and new tables; a short lock on nodes while the foreign keys are made.

-- The text search configuration for a language tag (nb, nn, en-GB …); 'simple' for a language PostgreSQL has no stemmer for. Fixed for ever:
-- stored rows were made with it.
create function transcript_search_language(language text) returns regconfig
language sql immutable parallel safe
return case split_part(lower(language), '-', 1)
  when 'no' then 'pg_catalog.norwegian'::regconfig
  when 'nb' then 'pg_catalog.norwegian'::regconfig
  when 'nn' then 'pg_catalog.norwegian'::regconfig
  when 'da' then 'pg_catalog.danish'::regconfig
  when 'sv' then 'pg_catalog.swedish'::regconfig
  when 'en' then 'pg_catalog.english'::regconfig
  when 'de' then 'pg_catalog.german'::regconfig
  when 'fr' then 'pg_catalog.french'::regconfig
  when 'es' then 'pg_catalog.spanish'::regconfig
  when 'fi' then 'pg_catalog.finnish'::regconfig
  when 'nl' then 'pg_catalog.dutch'::regconfig
  when 'it' then 'pg_catalog.italian'::regconfig
  when 'pt' then 'pg_catalog.portuguese'::regconfig
  when 'ru' then 'pg_catalog.russian'::regconfig
  else 'pg_catalog.simple'::regconfig
end;

-- Lower case also where the database's locale knows no letters but a to z: with locale C no search would find a name that begins with another one.
create function transcript_search_fold(text text) returns text
language sql immutable parallel safe
return translate(lower(text),
  'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŠŽČĆĐŊŦŒŁ',
  'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþšžčćđŋŧœł');

-- Of a segment longer than any that is spoken only the beginning: a tsvector holds 1 MB.
create function transcript_search_vector(language text, text text) returns tsvector
language sql immutable parallel safe
return to_tsvector(transcript_search_language(language), transcript_search_fold(left(text, 100000)));

-- What people type into a search box: words, "a phrase", or, -without.
create function transcript_search_query(language text, query text) returns tsquery
language sql immutable parallel safe
return websearch_to_tsquery(transcript_search_language(language), transcript_search_fold(query));

create table transcription_segments (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  -- The episode, meeting or dictation; what was said in it goes with it.
  media_node_id uuid not null references nodes (id) on delete cascade,
  -- 0, 1, 2 … in the order of start_ms.
  seq integer not null check (seq >= 0),
  -- The job that wrote the row. Jobs are deleted when they are old, so it may name none any more.
  job_id uuid,
  start_ms integer not null check (start_ms >= 0),
  end_ms integer not null check (end_ms >= start_ms),
  text text not null,
  speaker text,
  -- What the recogniser says about its own work; null when it does not.
  avg_logprob double precision,
  no_speech_prob double precision,
  compression_ratio double precision,
  language text,
  -- Why the segment should not be believed unseen (repeated, silence, overlap …); empty: nothing found.
  suspect text[] not null default '{}',
  -- Text and times as they came, where they were mended.
  raw jsonb,
  search tsvector generated always as (transcript_search_vector(language, text)) stored,
  primary key (collection_node_id, media_node_id, seq)
);

create index transcription_segments_search on transcription_segments using gin (search);
-- For a delete of the media node.
create index transcription_segments_media on transcription_segments (media_node_id);

comment on column transcription_segments.search is 'search @@ transcript_search_query(''nb'', ''words to look for'')';

-- The transcript as files for players and readers: made of the segments, never edited.
create table media_subtitles (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  media_node_id uuid not null references nodes (id) on delete cascade,
  format text not null check (format in ('srt', 'vtt', 'txt', 'json')),
  content text not null,
  language text,
  job_id uuid,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, media_node_id, format)
);

create index media_subtitles_media on media_subtitles (media_node_id);
