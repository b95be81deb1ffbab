-- Workers count; users read what is counted of their collections, through functions that run as queue_owner and look up which these are.
-- Live systems: the new tables are locked for an instant.

select secure_queue_table('job_activity'), secure_queue_table('job_durations');
grant select, insert, update, delete on job_activity, job_durations to queue_worker;

alter function read_job_activity(uuid[], text, integer) owner to queue_owner;
alter function read_job_activity(uuid[], text, integer) security definer;
alter function read_job_durations(uuid[]) owner to queue_owner;
alter function read_job_durations(uuid[]) security definer;
revoke all on function read_job_activity(uuid[], text, integer), read_job_durations(uuid[]) from public;
grant execute on function read_job_activity(uuid[], text, integer), read_job_durations(uuid[]) to queue_web;
