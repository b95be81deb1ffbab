-- Who may pause and resume: a user who is named by app.user_id the collections in which they may act, members of queue_owner everything,
-- nobody else anything. Both go through pause_jobs and resume_jobs, which run as queue_owner. Users see the pauses that hold up their jobs.
-- Live systems: job_pauses is locked for an instant.

select secure_queue_table('job_pauses');

-- The collections that may be paused and resumed; null for all, and for a type everywhere. Asks for the role outside the functions it is called in.
create function job_pause_scope() returns uuid[]
language sql stable security definer
begin atomic
  select case
    when nullif(current_setting('app.user_id', true), '') is not null then array(select job_user_collections(true))
    when not pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user)::name, 'queue_owner', 'usage') then '{}'::uuid[]
  end;
end;
alter function job_pause_scope() owner to queue_owner;
revoke all on function job_pause_scope() from public;

-- One answer for collections that are missing and those of others.
create function refuse_pause(collection_node_id uuid) returns boolean
language plpgsql
set search_path from current
as $$
begin
  if collection_node_id is null then
    raise exception 'a type may be paused here within a collection only' using errcode = 'JQ002';
  end if;
  raise exception 'there is no collection % whose jobs may be paused here', collection_node_id using errcode = 'JQ002';
end
$$;
alter function refuse_pause(uuid) owner to queue_owner;
revoke all on function refuse_pause(uuid) from public;

create policy owner_insert on job_pauses as restrictive for insert to queue_owner
  with check (case when coalesce(collection_node_id = any ((select job_pause_scope())::uuid[]), (select job_pause_scope()) is null)
    then true else refuse_pause(collection_node_id) end);
-- A pause that is not theirs is none.
create policy owner_delete on job_pauses as restrictive for delete to queue_owner
  using (coalesce(collection_node_id = any ((select job_pause_scope())::uuid[]), (select job_pause_scope()) is null));

create policy web on job_pauses for select to queue_web using (
  case when collection_node_id is null then nullif(current_setting('app.user_id', true), '') is not null
    else collection_node_id = any (array(select job_user_collections(false))) end);
grant select on job_pauses to queue_web;

-- The worker reads pauses and makes none. It parks by functions that run as queue_owner, because they lock pauses, which asks for the right to
-- change them. A claim clears the mark.
grant select on job_pauses to queue_worker;
grant update (parked) on job_queue to queue_worker;

alter function pause_jobs(text, uuid, text, text) owner to queue_owner;
alter function pause_jobs(text, uuid, text, text) security definer;
alter function resume_jobs(text, uuid) owner to queue_owner;
alter function resume_jobs(text, uuid) security definer;
alter function park_paused_jobs(text[], integer) owner to queue_owner;
alter function park_paused_jobs(text[], integer) security definer;
alter function unpark_jobs(integer) owner to queue_owner;
alter function unpark_jobs(integer) security definer;
revoke all on function pause_jobs(text, uuid, text, text), resume_jobs(text, uuid), park_paused_jobs(text[], integer), unpark_jobs(integer) from public;
grant execute on function pause_jobs(text, uuid, text, text), resume_jobs(text, uuid) to queue_web;
grant execute on function park_paused_jobs(text[], integer), unpark_jobs(integer) to queue_worker;
