-- Every final status has its time. Where the old worker wrote none, the latest time that is known stands for it.
update job_queue
set completed_at = greatest(created_at, started_at)
where completed_at is null and status in ('completed', 'error', 'cancelled');
