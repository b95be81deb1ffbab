-- Who may act on jobs and read what was done: users through functions that run as queue_owner and look up each time what the user may do; nobody writes
-- job_audit in another way. Whoever is named by app.user_id sees and acts in their collections, members of queue_owner everywhere, nobody else anywhere.
-- Live systems: the new tables are locked for an instant.

-- What a collection is called, for its users: where whoever migrates may not give that right, lists show no names until somebody does.
do $$
begin
  grant select (id, title) on nodes to queue_owner;
exception when insufficient_privilege or undefined_column then
  null;
end
$$;

select secure_queue_table('job_audit'), secure_queue_table('job_bulk_actions'), secure_queue_table('job_counts'),
  secure_queue_table('job_count_rounds'), secure_queue_table('job_count_collections'), secure_queue_table('job_page_watchers');

-- Rows are only added: not even the owner's functions change or delete one, but for retention.
create policy web on job_audit for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))));
grant select (id, acted_at, actor, action, outcome, code, job_id, run, job_type, collection_node_id, status_before, status_after, reason, bulk_id)
on job_audit to queue_web;

create policy web on job_bulk_actions for select to queue_web using (actor = nullif(current_setting('app.user_id', true), ''));
grant select on job_bulk_actions to queue_web;

create policy web on job_counts for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))));
grant select on job_counts to queue_web;
create policy web on job_count_rounds for select to queue_web using (nullif(current_setting('app.user_id', true), '') is not null);
grant select on job_count_rounds to queue_web;

grant select on job_page_watchers to queue_worker;
-- Where what a worker holds begins, to find what runs.
grant select (held_from) on job_workers to queue_web;
-- Of a failed run, which group of errors it belongs to.
grant update (error_group) on job_queue to queue_worker;

create or replace function job_action_scope(to_act boolean) returns uuid[]
language sql stable security definer
begin atomic
  select case
    when nullif(current_setting('app.user_id', true), '') is not null
      then array(select a.node_id from job_user_roles() a where a.may_act or not $1)
    when not pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user)::name, 'queue_owner', 'usage') then '{}'::uuid[]
  end;
end;

-- As job_user_roles: a name that cannot be a uuid has access to nothing, and is no error.
create or replace function job_user_collections(to_act boolean) returns setof uuid
language sql stable security definer
begin atomic
  select a.node_id from job_user_roles() a where a.may_act or not $1;
end;

do $$
declare
  called text;
begin
  foreach called in array array[
    'job_user_roles()', 'job_user_access()', 'job_action_scope(boolean)', 'job_actor(text)', 'tell_job_page()',
    'retry_job(uuid, uuid[], boolean, text, text, boolean, uuid, integer)', 'cancel_job(uuid, uuid[], text, text, boolean, uuid)',
    'note_job_action(text, text, uuid, text, text, text, uuid)', 'resume_jobs(text, uuid)', 'resume_jobs(text, uuid, text, text)',
    'pause_jobs(text, uuid, text, text)', 'freeze_bulk_action(text, uuid[], jsonb, boolean, boolean, text, text)',
    'run_bulk_action(uuid, integer)', 'abort_bulk_action(uuid)', 'count_live_jobs()', 'count_finished_jobs()',
    'watch_job_page(uuid, integer)', 'explain_job_snapshot(uuid, uuid[])', 'few_jobs_wait(integer)', 'few_waiting_jobs(integer)',
    'newest_jobs(uuid[], boolean, integer, double precision, uuid, timestamptz, timestamptz)']
  loop
    execute format('alter function %s owner to queue_owner', called);
    execute format('alter function %s security definer', called);
    execute format('revoke all on function %s from public', called);
    if called not in ('job_user_roles()', 'job_action_scope(boolean)', 'job_actor(text)', 'tell_job_page()') then
      execute format('grant execute on function %s to queue_web', called);
    end if;
  end loop;
end
$$;
