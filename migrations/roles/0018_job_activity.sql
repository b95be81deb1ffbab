-- Workers count, users see what is counted of their collections.
-- Live systems: the new tables are locked for an instant.

select secure_queue_table('job_activity'), secure_queue_table('job_durations');
grant select, insert, update, delete on job_activity, job_durations to queue_worker;

create policy web on job_activity for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))));
create policy web on job_durations for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))));
grant select on job_activity, job_durations to queue_web;
