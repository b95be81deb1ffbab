-- Who may do what with the jobs.
--
-- Who calls is told by app.user_id, set for each transaction by the application: set_config('app.user_id', …, true). It is as
-- trustworthy as whoever can run SQL on that connection.
--
-- Live systems: job_queue is locked for an instant.

-- The collections of the user who is named by app.user_id: all they may see, or those in which they may act. Without a name: none.
do $$
begin
  execute format($f$
    create function job_user_collections(to_act boolean) returns setof uuid
    language sql stable security definer
    begin atomic
      select a.node_id from node_access a
      where a.user_id = nullif(current_setting('app.user_id', true), '')::%s and (not $1 or a.role::text in ('owner', 'editor'));
    end
  $f$, (select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'node_access'::regclass and attname = 'user_id'));
end
$$;
alter function job_user_collections(boolean) owner to queue_owner;
revoke all on function job_user_collections(boolean) from public;
grant execute on function job_user_collections(boolean) to queue_web;

-- The collections for which jobs may be enqueued; null for all.
--   with app.user_id         those in which that user may act, whatever else the caller is
--   a job's write(trx)       the job's own
--   queue_enqueue and up     all: a service acts for no user
--   anybody else             none
-- Asks for the role outside the functions it is called in.
create function job_enqueue_scope() returns uuid[]
language sql stable security definer
begin atomic
  select case
    when nullif(current_setting('app.user_id', true), '') is not null then array(select job_user_collections(true))
    when not (
      pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user)::name, 'queue_enqueue', 'usage')
      or pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user)::name, 'queue_worker', 'usage')
      or pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user)::name, 'queue_owner', 'usage'))
    then '{}'::uuid[]
    when nullif(current_setting('jobs.collection', true), '') is not null then array[current_setting('jobs.collection')::uuid]
  end;
end;
alter function job_enqueue_scope() owner to queue_owner;
revoke all on function job_enqueue_scope() from public;

-- One answer for collections that are missing and those of others.
create function refuse_enqueue(collection_node_id uuid) returns boolean
language plpgsql
set search_path from current
as $$
begin
  raise exception 'there is no collection % for which jobs may be enqueued here', collection_node_id using errcode = 'JQ002';
end
$$;
alter function refuse_enqueue(uuid) owner to queue_owner;
revoke all on function refuse_enqueue(uuid) from public;

select secure_queue_table('job_queue');

-- Jobs are inserted by enqueue_jobs, which runs as queue_owner. The scope is looked up once a statement.
drop policy owner on job_queue;
create policy owner on job_queue to queue_owner using (true) with check (true);
create policy owner_insert on job_queue as restrictive for insert to queue_owner
  with check (case when coalesce(collection_node_id = any ((select job_enqueue_scope())::uuid[]), true) then true else refuse_enqueue(collection_node_id) end);

-- What a run changes, and no more: no worker can give a job another payload or another collection.
grant select, update (status, result, error_msg, attempts, started_at, completed_at, scheduled_for, run, claim, worker_id, prefetched, rescues,
  snoozes, unique_held, cancel_requested_at, progress, progress_text) on job_queue to queue_worker;

create policy web on job_queue for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))));
grant select on job_queue to queue_web;
