-- Workers say what they start, and read it of dead ones.
-- Live systems: the new table is locked for an instant.

select secure_queue_table('job_starts');
grant select, insert, delete on job_starts to queue_worker;
