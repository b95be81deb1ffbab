-- How long a worker's event loop stood still, told with each heartbeat: a handler that computes for minutes shows up here.
-- Live systems: a column without a default, added in an instant under a short lock on job_workers.

alter table job_workers add column loop_silent_ms integer;
