-- The files of this folder run only when migrate is told to adopt a job_queue that was there before (docs/adopting.md): each at most
-- once, recorded in job_migrations like every other. They bring type and table to what ../0002_job_queue.sql would have made; all
-- other files then run as always. A test compares the two.

-- In a transaction of its own: a new label of an enum cannot be used in the transaction that adds it.
alter type job_status add value if not exists 'cancelled';
