-- Podcast download counts from access logs (job type stats_parse). No address and no user agent is ever stored here.
-- Live systems: only new tables; a short lock on nodes while the foreign keys are made.

-- How far a log has been read. Moved in the transaction that writes the counts, by compare and set.
create table podcast_log_checkpoints (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  -- Relative to LOG_ROOT.
  path text not null,
  -- Device and inode are unsigned 64-bit numbers: bigint cannot hold them all.
  device numeric(20, 0) not null,
  inode numeric(20, 0) not null,
  -- After the last whole line that was read.
  byte_offset bigint not null check (byte_offset >= 0),
  -- The file's first head_length bytes (at most 4,096) tell it from its successor under the same name.
  head_sha256 bytea not null check (octet_length(head_sha256) = 32),
  head_length integer not null check (head_length between 0 and 4096),
  size bigint not null check (size >= byte_offset),
  -- The latest time any line read so far bears.
  last_ts timestamptz,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, path)
);

-- The secret that makes a day's listener hashes. Once it is deleted nobody can tell who they were, not even with the log in hand.
create table podcast_salts (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  day date not null,
  salt bytea not null check (octet_length(salt) = 32),
  -- 48 hours after the day's end in the collection's zone; lines read later are too late to be counted.
  expires_at timestamptz not null,
  primary key (collection_node_id, day)
);

create index podcast_salts_expired on podcast_salts (collection_node_id, expires_at);

-- The size of each episode's file, as the log has told it.
create table podcast_episode_files (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  episode text not null,
  total_bytes bigint not null check (total_bytes > 0),
  -- True when an answer declared it; false when it is the longest body seen so far.
  declared boolean not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, episode)
);

-- One listener's day with one episode: which bytes have arrived so far, and whether it has become a download.
create table podcast_listener_days (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  day date not null,
  episode text not null,
  -- HMAC-SHA-256 under the day's salt of the address (IPv6 cut to /64) and the user agent.
  listener_hash bytea not null check (octet_length(listener_hash) = 32),
  app text not null,
  -- Emptied once counted: more bytes change nothing then.
  ranges int8multirange not null,
  -- Bytes that make a download of it; null while the file's size is unknown.
  threshold_bytes bigint check (threshold_bytes > 0),
  counted boolean not null default false,
  primary key (collection_node_id, day, episode, listener_hash)
);

-- The counts themselves: what pages and reports read.
create table podcast_downloads (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  episode text not null,
  -- A calendar day in the collection's zone.
  day date not null,
  app text not null,
  downloads bigint not null check (downloads > 0),
  primary key (collection_node_id, episode, day, app)
);

create index podcast_downloads_day on podcast_downloads (collection_node_id, day);
