-- The same numbers as before (0008_metrics.sql): what waits lies in two indexes now, of what claims see and of what is parked.
-- Live systems: nothing is locked.

create or replace function job_metrics() returns table (job_type text, status text, jobs bigint, oldest_due_at timestamptz)
language sql stable security definer
begin atomic
  select q.job_type, q.status::text, count(*), min(q.scheduled_for) filter (where q.scheduled_for <= now())
  from (
    select r.job_type, r.status, r.scheduled_for from job_queue r where r.ready and not r.parked
    union all
    select r.job_type, r.status, r.scheduled_for from job_queue r where r.ready and r.parked) q
  group by q.job_type, q.status
  union all
  select q.job_type, 'running', count(*), null
  from job_workers w join job_queue q on not q.ready and q.worker_id = w.id and q.claim >= w.held_from and q.status = 'running'
  group by q.job_type
  union all
  select q.job_type, 'error', count(*), null from job_queue q where q.failed group by q.job_type;
end;
