-- no-transaction
-- Live systems: nobody waits for it; it waits for transactions that use the index. Workers of before go on, but each of their claims reads
-- the whole table from here on: replace them at once.
drop index concurrently if exists job_queue_ready;
