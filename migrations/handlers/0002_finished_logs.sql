-- Which rotated logs have been read to their end (job type stats_parse), so that a log may be rotated, renamed and packed between two runs.
-- Live systems: only a new table; a short lock on nodes while the foreign key is made.

create table podcast_finished_logs (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  -- The log it is a part of, relative to LOG_ROOT.
  path text not null,
  -- Of the first 4,096 bytes, unpacked: by them a file is known again, whatever it is called. Rows go when the file is gone.
  head_sha256 bytea not null check (octet_length(head_sha256) = 32),
  finished_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, path, head_sha256)
);
