-- Numbers without tenants, for monitoring. Counts what waits, runs and has failed through their indexes; what is completed is not counted.
-- Live systems: nothing is locked.

create function job_metrics() returns table (job_type text, status text, jobs bigint, oldest_due_at timestamptz)
language sql stable security definer
begin atomic
  select q.job_type, q.status::text, count(*), min(q.scheduled_for) filter (where q.scheduled_for <= now())
  from job_queue q where q.ready group by q.job_type, q.status
  union all
  select q.job_type, 'running', count(*), null
  from job_workers w join job_queue q on not q.ready and q.worker_id = w.id and q.claim >= w.held_from and q.status = 'running'
  group by q.job_type
  union all
  select q.job_type, 'error', count(*), null from job_queue q where q.failed group by q.job_type;
end;
alter function job_metrics() owner to queue_owner;
revoke all on function job_metrics() from public;
grant execute on function job_metrics() to queue_metrics;
