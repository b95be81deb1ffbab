-- no-transaction
-- Live systems: built beside the work; nobody waits. It waits for transactions that are open when it begins.
-- The same within each type; takes the place of job_queue_ready_by_type.
create index concurrently if not exists job_queue_claimable_by_type on job_queue (job_type, priority desc, scheduled_for, sequence)
  where ready and not parked;
