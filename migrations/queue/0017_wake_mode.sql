-- How a worker hears of new jobs: by notifications, or only by polling (also while it does not know yet).
-- Live systems: a column without a default, added in an instant under a short lock on job_workers; the check looks at its few rows.

alter table job_workers add column wake_mode text check (wake_mode in ('listening', 'polling'));
