-- no-transaction
-- The rewrite left the planner without figures about the new columns.
vacuum (analyze) job_queue;
