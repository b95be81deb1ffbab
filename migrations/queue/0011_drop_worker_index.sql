-- no-transaction
-- job_queue_held has taken its place.
-- Live systems: waits for the statements that use it, and holds up nobody.

drop index concurrently if exists job_queue_worker;
