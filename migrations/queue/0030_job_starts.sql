-- Which of the jobs it has claimed ahead a worker has cleared to start: said before they start, many in one row. To clear the flag in each job's own
-- row was a third of what a short job cost.
-- Live systems: a new table. Workers of before clear the flag in the row, and that counts as it did.

create table job_starts (
  worker_id uuid not null references job_workers (id) on delete cascade,
  claims int8multirange not null,
  -- The highest of them.
  last_claim bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);

create index job_starts_worker on job_starts (worker_id, last_claim);
