-- no-transaction
-- Live systems: built beside the work; nobody waits. It waits for transactions that are open when it begins.
-- The order in which jobs are claimed, without those that are parked; takes the place of job_queue_ready.
create index concurrently if not exists job_queue_claimable on job_queue (priority desc, scheduled_for, sequence) where ready and not parked;
