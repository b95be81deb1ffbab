-- Retrying and cancelling by a person: each decided by one conditional update, and written down in the same transaction. The page, the
-- command line and psql go through the same functions.
-- Live systems: new functions; nothing is locked.

-- The collections of the user whom app.user_id names, what they are called, and whether the user may act there. The one place here that knows the
-- host's node_access.
do $$
declare
  type text := (select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'node_access'::regclass and attname = 'user_id');
  -- A name that cannot be a uuid has access to nothing; casting it would be an error in every query.
  me text := case when type = 'uuid'
    then $f$case when current_setting('app.user_id', true) ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then current_setting('app.user_id', true)::uuid end$f$
    else format($f$nullif(current_setting('app.user_id', true), '')::%s$f$, type) end;
  titled boolean := exists (select from pg_attribute where attrelid = 'nodes'::regclass and attname = 'title' and not attisdropped);
begin
  -- One look-up, as lean as can be: policies do it for each table of each statement. May name a collection twice. Texts, not `begin atomic`: the host's
  -- tables stay the host's to change.
  execute format($f$
    create function job_user_roles() returns table (node_id uuid, may_act boolean)
    language sql stable set search_path from current
    as $body$ select a.node_id, a.role::text in ('owner', 'editor') from node_access a where a.user_id = %s $body$
  $f$, me);
  -- Titles are the host's to show: without the right to read them there are none.
  execute format($f$
    create function job_user_access() returns table (node_id uuid, may_act boolean, title text)
    language plpgsql stable set search_path from current
    as $body$
    #variable_conflict use_column
    begin
      %s
      return query select a.node_id, bool_or(a.may_act), null::text from job_user_roles() a group by a.node_id;
    end
    $body$
  $f$, case when titled then $t$
      if has_column_privilege(current_user, 'nodes', 'title', 'select') and has_column_privilege(current_user, 'nodes', 'id', 'select') then
        return query select a.node_id, bool_or(a.may_act), (select n.title::text from nodes n where n.id = a.node_id) from job_user_roles() a group by a.node_id;
        return;
      end if;$t$ else '' end);
end
$$;

-- The collections whose jobs the caller may see, or act on; null for all. Without app.user_id: all. Roles narrow that.
create function job_action_scope(to_act boolean) returns uuid[]
language sql stable
begin atomic
  select case when nullif(current_setting('app.user_id', true), '') is not null
    then array(select a.node_id from job_user_roles() a where a.may_act or not $1) end;
end;

-- Whoever the application says it is; a caller cannot name somebody else beside that.
create function job_actor(named text) returns text
language sql stable
begin atomic
  select left(coalesce(nullif(current_setting('app.user_id', true), ''), nullif($1, '')), 200);
end;

-- Tells whoever watches the page to look again. Says nothing else: everybody may listen.
create function tell_job_page() returns void
language sql
begin atomic
  select pg_notify('job_queue_page', '');
end;

-- Makes a failed, cancelled or waiting-to-retry job due now (or after delay_ms), with all its attempts before it. Outcome `applied`, or `refused`
-- with a code. JOB_LOCKED: somebody else holds the row just now; noted only when the caller will not try again (give_up).
create function retry_job(
  job_id uuid, collections uuid[] default null, fresh boolean default false, retried_by text default null, reason text default null,
  give_up boolean default true, bulk_id uuid default null, delay_ms integer default 0
) returns table (outcome text, code text, status job_status)
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
  found_job record;
  refusal text;
begin
  select q.id, q.run, q.attempts, q.worker_id, q.started_at, q.status, q.job_type, q.collection_node_id into found_job
  from job_queue q
  where q.id = retry_job.job_id
    and (retry_job.collections is null or q.collection_node_id = any (retry_job.collections))
    and (may_see is null or q.collection_node_id = any (may_see))
  for no key update skip locked;

  if found_job.id is null then
    refusal := case when exists (
        select from job_queue q where q.id = retry_job.job_id
          and (retry_job.collections is null or q.collection_node_id = any (retry_job.collections))
          and (may_see is null or q.collection_node_id = any (may_see)))
      then 'JOB_LOCKED' else 'JOB_NOT_FOUND' end;
  elsif may_act is not null and not found_job.collection_node_id = any (may_act) then
    refusal := 'JOB_FORBIDDEN';
  else
    begin
      update job_queue q
      set status = 'pending', attempts = 0, snoozes = 0, scheduled_for = clock_timestamp() + retry_job.delay_ms * interval '1 millisecond',
        completed_at = null, cancel_requested_at = null, parked = false,
        -- Nobody sits waiting for one of many: fresh work goes first.
        priority = case when retry_job.bulk_id is null then q.priority else least(q.priority, 1) end,
        -- Taken again, if the job has a key; the unique index says whether somebody else holds it by now.
        unique_held = q.unique_key is not null and q.unique_until is not null
      where q.id = found_job.id and q.status in ('error', 'cancelled', 'retry');
      if not found then refusal := 'JOB_NOT_RETRYABLE'; end if;
    exception when unique_violation then
      refusal := 'UNIQUE_KEY_TAKEN';
    end;
  end if;

  if refusal is null then
    insert into job_attempts (job_id, run, attempt, worker_id, started_at, end_reason)
    values (found_job.id, found_job.run, found_job.attempts, found_job.worker_id, found_job.started_at, 'retried_by_admin');
    if retry_job.fresh then
      delete from job_steps t where t.job_id = found_job.id;
    end if;
    if retry_job.delay_ms <= 0 then
      perform wake_idle_workers(array[found_job.job_type]);
    end if;
    perform tell_job_page();
  end if;
  if refusal is distinct from 'JOB_LOCKED' or retry_job.give_up then
    insert into job_audit (actor, action, outcome, code, job_id, run, job_type, collection_node_id, status_before, status_after, reason, bulk_id)
    values (job_actor(retry_job.retried_by), 'retry', case when refusal is null then 'applied' else 'refused' end, refusal, retry_job.job_id,
      found_job.run, found_job.job_type, found_job.collection_node_id, found_job.status, coalesce(case when refusal is null then 'pending' end, found_job.status::text),
      retry_job.reason, retry_job.bulk_id);
  end if;
  return query select case when refusal is null then 'applied' else 'refused' end, refusal, found_job.status;
end
$$;

-- Cancels a job that waits (`applied`), asks a running one to stop (`requested`), or is `refused` with a code.
create function cancel_job(
  job_id uuid, collections uuid[] default null, cancelled_by text default null, reason text default null,
  give_up boolean default true, bulk_id uuid default null
) returns table (outcome text, code text, status job_status)
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
  found_job record;
  refusal text;
  became text;
begin
  select q.id, q.run, q.status, q.job_type, q.collection_node_id into found_job
  from job_queue q
  where q.id = cancel_job.job_id
    and (cancel_job.collections is null or q.collection_node_id = any (cancel_job.collections))
    and (may_see is null or q.collection_node_id = any (may_see))
  for no key update skip locked;

  if found_job.id is null then
    refusal := case when exists (
        select from job_queue q where q.id = cancel_job.job_id
          and (cancel_job.collections is null or q.collection_node_id = any (cancel_job.collections))
          and (may_see is null or q.collection_node_id = any (may_see)))
      then 'JOB_LOCKED' else 'JOB_NOT_FOUND' end;
  elsif may_act is not null and not found_job.collection_node_id = any (may_act) then
    refusal := 'JOB_FORBIDDEN';
  else
    update job_queue q
    set status = case when q.ready then 'cancelled' else q.status end,
      completed_at = case when q.ready then clock_timestamp() else q.completed_at end,
      unique_held = q.unique_held and not q.ready,
      cancel_requested_at = case when q.ready then null else coalesce(q.cancel_requested_at, clock_timestamp()) end,
      parked = false,
      error_msg = case when q.ready then coalesce(q.error_msg, 'Cancelled on request.') else q.error_msg end
    where q.id = found_job.id and q.status in ('pending', 'retry', 'running')
    returning q.status into became;
    if not found then refusal := 'JOB_NOT_CANCELLABLE'; end if;
  end if;

  if became = 'running' then perform pg_notify('job_queue_cancel', ''); end if;
  if refusal is null then perform tell_job_page(); end if;
  if refusal is distinct from 'JOB_LOCKED' or cancel_job.give_up then
    insert into job_audit (actor, action, outcome, code, job_id, run, job_type, collection_node_id, status_before, status_after, reason, bulk_id)
    values (job_actor(cancel_job.cancelled_by), 'cancel',
      case when refusal is not null then 'refused' when became = 'running' then 'requested' else 'applied' end, refusal, cancel_job.job_id,
      found_job.run, found_job.job_type, found_job.collection_node_id, found_job.status, coalesce(became, found_job.status::text),
      cancel_job.reason, cancel_job.bulk_id);
  end if;
  return query select case when refusal is not null then 'refused' when became = 'running' then 'requested' else 'applied' end, refusal, found_job.status;
end
$$;

-- What has no statement of its own to be written down with: looking at an unmasked payload, a summary that was ordered, and what the
-- application refused before it came here. Nothing else: nobody can note an action that did not happen.
create function note_job_action(
  action text, refused_code text default null, job_id uuid default null, acted_by text default null, reason text default null,
  job_type text default null, collection_node_id uuid default null
) returns boolean
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  subject record;
begin
  if note_job_action.refused_code is null and note_job_action.action not in ('read_raw', 'summarize') then
    raise exception 'only read_raw and summarize can be noted as done, got %', note_job_action.action using errcode = 'invalid_parameter_value';
  end if;
  select q.run, q.job_type, q.collection_node_id, q.status into subject from job_queue q
  where q.id = note_job_action.job_id and (may_see is null or q.collection_node_id = any (may_see));
  if note_job_action.refused_code is null and not found then return false; end if;
  insert into job_audit (actor, action, outcome, code, job_id, run, job_type, collection_node_id, status_before, status_after, reason)
  values (job_actor(note_job_action.acted_by), note_job_action.action,
    case when note_job_action.refused_code is null then 'applied' else 'refused' end, note_job_action.refused_code, note_job_action.job_id,
    subject.run, coalesce(subject.job_type, note_job_action.job_type),
    coalesce(subject.collection_node_id,
      case when may_see is null or note_job_action.collection_node_id = any (may_see) then note_job_action.collection_node_id end),
    subject.status, subject.status, note_job_action.reason);
  return true;
end
$$;
