-- Who may do what with the ticks of schedules.
-- Live systems: job_schedule_ticks is locked for an instant.

select secure_queue_table('job_schedule_ticks');
grant select, insert, delete on job_schedule_ticks to queue_worker;
-- As job_schedules itself: of a schedule that the user does not see there are no ticks either.
create policy web on job_schedule_ticks for select to queue_web using (exists (select from job_schedules s where s.id = schedule_id));
grant select on job_schedule_ticks to queue_web;
