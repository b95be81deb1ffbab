-- A day's listeners are deleted together with the salt that made their hashes, by whatever deletes the salt.
-- Live systems: podcast_listener_days is read once and locked against writing meanwhile; it holds three days.

delete from podcast_listener_days l
where not exists (select from podcast_salts s where s.collection_node_id = l.collection_node_id and s.day = l.day);

alter table podcast_listener_days
  add constraint podcast_listener_days_salt_fkey
  foreign key (collection_node_id, day) references podcast_salts (collection_node_id, day) on delete cascade;

-- Expired salts are looked for in all collections: one that no longer counts must not keep its salts.
create index podcast_salts_expiry on podcast_salts (expires_at);
drop index podcast_salts_expired;
