-- Retrying or cancelling many jobs: which ones is settled when the person sees the preview, and not what a filter finds later. Carried out a piece
-- at a time, each in a transaction of its own that also moves `done` on, so that it can be interrupted, resumed and asked for twice.
-- Live systems: a new table and function; nothing is locked.

create table job_bulk_actions (
  id uuid primary key default gen_random_uuid(),
  action text not null check (action in ('retry', 'cancel')),
  actor text check (length(actor) between 1 and 200),
  -- What the person had chosen, for the receipt only.
  filter jsonb not null default '{}' check (octet_length(filter::text) <= 16384),
  reason text check (length(reason) between 1 and 1000),
  fresh boolean not null default false,
  job_ids uuid[] not null check (cardinality(job_ids) <= 1000),
  -- There are jobs that fit beyond those.
  more boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  -- A preview is not acted on for ever.
  expires_at timestamptz not null default clock_timestamp() + interval '15 minutes',
  done integer not null default 0,
  -- How many ended how: {"applied": 290, "JOB_NOT_RETRYABLE": 12}.
  outcomes jsonb not null default '{}',
  started_at timestamptz,
  finished_at timestamptz,
  aborted_at timestamptz
);
create index job_bulk_actions_age on job_bulk_actions (created_at);

-- Carries out the next piece of a bulk action, each job by the function for one, and tells how far it is. Nothing when there is none of that id, or
-- it is somebody else's. Jobs that are retried come back spread over time: what failed together does not come back together.
create function run_bulk_action(id uuid, piece integer default 100) returns setof job_bulk_actions
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  bulk job_bulk_actions;
  next_id uuid;
  did record;
  tally jsonb;
  key text;
begin
  select b.* into bulk from job_bulk_actions b
  where b.id = run_bulk_action.id
    and (job_action_scope(true) is null or b.actor = job_actor(null))
  for no key update;
  if not found then return; end if;
  if bulk.finished_at is not null or bulk.aborted_at is not null or (bulk.started_at is null and bulk.expires_at < clock_timestamp()) then
    return next bulk;
    return;
  end if;
  tally := bulk.outcomes;
  foreach next_id in array bulk.job_ids[bulk.done + 1 : bulk.done + least(greatest(run_bulk_action.piece, 1), 1000)] loop
    if bulk.action = 'retry' then
      select r.outcome, r.code into did from retry_job(next_id, null, bulk.fresh, bulk.actor, bulk.reason, true, bulk.id,
        (random() * 50 * cardinality(bulk.job_ids))::integer) r;
    else
      select c.outcome, c.code into did from cancel_job(next_id, null, bulk.actor, bulk.reason, true, bulk.id) c;
    end if;
    key := coalesce(did.code, did.outcome);
    tally := tally || jsonb_build_object(key, coalesce((tally ->> key)::integer, 0) + 1);
  end loop;
  return query
    update job_bulk_actions b
    set done = least(bulk.done + greatest(run_bulk_action.piece, 1), cardinality(b.job_ids)), outcomes = tally,
      started_at = coalesce(b.started_at, clock_timestamp()),
      finished_at = case when bulk.done + greatest(run_bulk_action.piece, 1) >= cardinality(b.job_ids) then clock_timestamp() end
    where b.id = bulk.id
    returning b.*;
end
$$;

-- Stops a bulk action before its next piece; what is done stays done.
create function abort_bulk_action(id uuid) returns setof job_bulk_actions
language sql
begin atomic
  update job_bulk_actions b set aborted_at = coalesce(b.aborted_at, clock_timestamp())
  where b.id = $1 and b.finished_at is null and (job_action_scope(true) is null or b.actor = job_actor(null))
  returning b.*;
end;

-- Freezes a selection. The ids are looked at again, one by one, when they are acted on.
create function freeze_bulk_action(
  action text, job_ids uuid[], filter jsonb default '{}', more boolean default false, fresh boolean default false,
  acted_by text default null, reason text default null
) returns setof job_bulk_actions
language sql
begin atomic
  delete from job_bulk_actions b where b.created_at < clock_timestamp() - interval '90 days' or (b.started_at is null and b.expires_at < clock_timestamp() - interval '1 day');
  insert into job_bulk_actions as b (action, actor, filter, reason, fresh, job_ids, more)
  values ($1, job_actor($6), $3, $7, $5, $2, $4)
  returning b.*;
end;
