-- no-transaction
-- Live systems: built beside the work; nobody waits. It waits for transactions that are open when it begins.
-- What is parked, to be let go in its order. Empty while no collection is paused.
create index concurrently if not exists job_queue_parked on job_queue (collection_node_id, job_type, priority desc, scheduled_for, sequence)
  where ready and parked;
