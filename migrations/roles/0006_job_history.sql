-- Who may do what with a job's past attempts and stored steps.
-- Live systems: job_attempts and job_steps are locked for an instant.

select secure_queue_table('job_attempts');
grant select, insert on job_attempts to queue_worker;
-- As job_queue itself: of a job that the user does not see there are no attempts either.
create policy web on job_attempts for select to queue_web using (exists (select from job_queue q where q.id = job_id));
grant select on job_attempts to queue_web;

select secure_queue_table('job_steps');
grant select, insert, update, delete on job_steps to queue_worker;
