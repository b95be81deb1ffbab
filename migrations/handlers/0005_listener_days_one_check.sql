-- Listeners go with their salt, and salts with their collection: a second check of every row bought nothing and took time.
-- Live systems: a short lock on podcast_listener_days and nodes.

alter table podcast_listener_days drop constraint podcast_listener_days_collection_node_id_fkey;
