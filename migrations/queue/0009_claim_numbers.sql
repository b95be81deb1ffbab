-- The number of the claim that took a job, counted by its worker, and the lowest number a worker may still hold: what a dead worker
-- held is found without walking past everything it ever completed, and without trusting a clock.
-- Live systems: columns with constant defaults, added in an instant under a short lock on each table.

alter table job_queue add column claim bigint not null default 0;
alter table job_workers add column held_from bigint not null default 0;
