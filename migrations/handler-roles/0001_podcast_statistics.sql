-- Tenants of the tables of stats_parse. Only counts are for users: who listened is nobody's business.
-- Live systems: each of the tables is locked for an instant.

select secure_handler_table('podcast_log_checkpoints', false);
-- Every worker deletes the salts that have expired, of whatever collection, and the listeners with them.
select secure_handler_table('podcast_salts', false, 'old.expires_at <= now()');
select secure_handler_table('podcast_episode_files', false);
select secure_handler_table('podcast_listener_days', false);
select secure_handler_table('podcast_finished_logs', false);
select secure_handler_table('podcast_downloads');

alter view podcast_download_totals owner to queue_owner;
grant select on podcast_download_totals to queue_worker, queue_web, queue_backup;
