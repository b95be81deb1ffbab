-- What an application reads beside its own tables: how often each episode was downloaded.
-- Live systems: only a new view.

create view podcast_download_totals with (security_invoker = true) as
select
  collection_node_id,
  -- The decoded path without its query, as the access log has it: /media/ep001.mp3
  episode,
  sum(downloads)::bigint as downloads,
  -- Calendar days in the collection's zone.
  min(day) as first_day,
  max(day) as last_day
from podcast_downloads
group by collection_node_id, episode;

comment on view podcast_download_totals is
  'Podcast downloads by collection and episode, by the method of IAB Podcast Measurement 2.3 (not audited). Counted by job type stats_parse.';
