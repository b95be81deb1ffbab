-- No worker of before runs any more: what was running is due again. Attempts were counted when they failed, so this one was not.
with interrupted as (
  update job_queue
  set status = 'retry', run = 1, scheduled_for = now(), completed_at = null
  where status = 'running'
  returning id, attempts, started_at
)
insert into job_attempts (job_id, run, attempt, started_at, end_reason, error_code, error_msg)
select id, 1, least(attempts, 32766) + 1, started_at, 'interrupted', 'INTERRUPTED',
  'The queue was adopted while this job was running; the attempt was not charged.'
from interrupted;
