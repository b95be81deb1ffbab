-- no-transaction
-- The rewrite left the planner without figures about the new columns. Where the lock is taken, autovacuum is at it already.
vacuum (analyze, skip_locked) job_queue;
