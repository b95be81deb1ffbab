-- Who may do what with schedules: a schedule enqueues, so whoever may enqueue for a collection as its user may make its schedules.
-- Live systems: job_schedules is locked for an instant.

select secure_queue_table('job_schedules');

-- What a tick moves on, and no more. tick_job_schedule runs with the worker's own rights.
grant select, update (next_at, last_tick_at, last_job_id, error_msg) on job_schedules to queue_worker;

create policy web on job_schedules for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))));
create policy web_insert on job_schedules for insert to queue_web
  with check (case when collection_node_id = any (array(select job_user_collections(true))) then true else refuse_enqueue(collection_node_id) end);
-- Schedules that the user may only see are not there to be changed or deleted.
create policy web_update on job_schedules for update to queue_web using (collection_node_id = any (array(select job_user_collections(true))));
create policy web_delete on job_schedules for delete to queue_web using (collection_node_id = any (array(select job_user_collections(true))));
grant select, delete,
  insert (collection_node_id, name, job_type, payload, cron, every_seconds, time_zone, starts_at, priority, max_attempts, unique_key, unique_until,
    misfire, enabled),
  update (job_type, payload, cron, every_seconds, time_zone, starts_at, priority, max_attempts, unique_key, unique_until, misfire, enabled)
on job_schedules to queue_web;
grant execute on function refuse_enqueue(uuid) to queue_web;

alter function note_schedule_change() owner to queue_owner;
alter function tick_job_schedule(uuid, integer, timestamptz[], timestamptz) owner to queue_owner;
revoke all on function note_schedule_change(), tick_job_schedule(uuid, integer, timestamptz[], timestamptz) from public;
grant execute on function tick_job_schedule(uuid, integer, timestamptz[], timestamptz) to queue_worker;
