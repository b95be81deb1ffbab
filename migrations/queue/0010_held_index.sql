-- no-transaction
-- What a worker holds lies at the end of its part of this index.
-- Live systems: built beside the running queue; takes as long as reading the table once.

create index concurrently if not exists job_queue_held on job_queue (worker_id, claim) where not ready;
