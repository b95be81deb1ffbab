-- Periodic jobs: one row per schedule, and what its newest ticks enqueued. Workers look for due schedules and enqueue by the same
-- function as everybody else; job_queue and its statements are as they were.
-- Live systems: new tables and functions; the foreign key needs a lock on nodes that lets reads through, for an instant.

create table job_schedules (
  id uuid primary key default gen_random_uuid(),
  collection_node_id uuid not null references nodes (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  job_type text not null check (job_type ~ '^[a-z][a-z0-9_]{0,62}$'),
  payload jsonb not null default '{}',
  -- When: a cron text of five fields in time_zone, or every so many seconds from starts_at on.
  cron text check (length(cron) between 1 and 100),
  every_seconds integer check (every_seconds between 1 and 31622400),
  time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64),
  -- There is no tick before it. Whole milliseconds, as JavaScript has them.
  starts_at timestamptz not null default date_trunc('milliseconds', now()) check (isfinite(starts_at)),
  priority smallint not null default 0,
  max_attempts smallint not null default 3 check (max_attempts >= 1),
  -- At most one waiting job ('claimed'), or one waiting or running ('finished'); null: every tick has a job of its own.
  unique_until text default 'claimed' check (unique_until in ('claimed', 'finished')),
  -- Null: a key made from the name.
  unique_key text check (length(unique_key) between 1 and 512),
  misfire text not null default 'last' check (misfire in ('skip', 'last', 'all')),
  enabled boolean not null default true,
  -- The next tick. Null: not computed yet; the next worker that looks computes it.
  next_at timestamptz,
  -- Ticks before it do not count: it starts anew when the timing changes and when the schedule is enabled again.
  counts_from timestamptz not null default date_trunc('milliseconds', now()) check (isfinite(counts_from)),
  last_tick_at timestamptz,
  last_job_id uuid,
  -- Why no worker looks at it any more: a cron text or a time zone that is wrong. Gone when the timing changes.
  error_msg text,
  -- One more at every change: whoever ticks must know its number.
  revision integer not null default 0,
  created_at timestamptz not null default now(),
  constraint job_schedules_name unique (collection_node_id, name),
  constraint job_schedules_one_timing check (num_nonnulls(cron, every_seconds) = 1),
  constraint job_schedules_payload_size check (octet_length(payload::text) <= 131072),
  -- A job for every missed tick, and at most one waiting job, exclude each other.
  constraint job_schedules_all_not_unique check (misfire <> 'all' or unique_until is null)
);

create index job_schedules_due on job_schedules ((coalesce(next_at, '-infinity'::timestamptz))) where enabled and error_msg is null;

-- The belt: a tick is enqueued once, whatever else is wrong. Also the history a page shows. The newest hundred of a schedule stay.
create table job_schedule_ticks (
  schedule_id uuid not null references job_schedules (id) on delete cascade,
  tick_at timestamptz not null,
  -- The job may be gone by now.
  job_id uuid not null,
  outcome text not null check (outcome in ('created', 'kept')),
  ticked_at timestamptz not null default clock_timestamp(),
  primary key (schedule_id, tick_at)
);

-- Whoever changes a schedule, psql included, need not know about ticks. Only who sets counts_from keeps next_at.
create function note_schedule_change() returns trigger
language plpgsql
as $$
begin
  new.revision := old.revision + 1;
  if new.counts_from = old.counts_from
    and ((new.cron, new.every_seconds, new.time_zone, new.starts_at)
      is distinct from (old.cron, old.every_seconds, old.time_zone, old.starts_at) or (new.enabled and not old.enabled))
  then
    new.counts_from := date_trunc('milliseconds', now());
    new.next_at := null;
    new.error_msg := null;
  end if;
  return new;
end
$$;

create trigger job_schedules_change before update on job_schedules
  for each row execute function note_schedule_change();

-- Enqueues the jobs of one schedule's ticks and moves it on to its next tick: all of it or nothing. Does nothing, and gives no row, when
-- the schedule is not the one that was looked at any more (revision), somebody else has it just now, or it or its collection is being
-- deleted. Otherwise a row for each tick that has a job now, and a last one without.
-- next_at null: it never ticks again. The node comes first: a delete of it takes its locks in that order.
create function tick_job_schedule(schedule_id uuid, revision integer, ticks timestamptz[], next_at timestamptz)
returns table (tick_at timestamptz, job_id uuid, outcome text)
language plpgsql
set search_path from current
-- Somebody may hold the unique key and wait for the schedule's row: this gives way before the two are a deadlock.
set lock_timeout to '500ms'
as $$
#variable_conflict use_column
declare
  s job_schedules;
  tick timestamptz;
  job record;
begin
  perform from nodes n
  where n.id = (select q.collection_node_id from job_schedules q where q.id = $1) for key share skip locked;
  if not found then return; end if;
  select * into s from job_schedules q where q.id = $1 and q.revision = $2 and q.enabled for no key update skip locked;
  if not found then return; end if;
  foreach tick in array $3 loop
    continue when exists (select from job_schedule_ticks t where t.schedule_id = $1 and t.tick_at = tick);
    select e.id, e.outcome into job from enqueue_job(
      s.collection_node_id, s.job_type, s.payload, priority => s.priority, scheduled_for => tick, max_attempts => s.max_attempts,
      unique_key => case when s.unique_until is not null then coalesce(s.unique_key, 'schedule:' || s.name) end,
      unique_until => s.unique_until, on_conflict => case when s.unique_until is not null then 'keep' end,
      correlation_id => s.name || '@' || to_char(tick at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) e;
    -- A time gone by counts as now for everybody else; a tick keeps its own, however late it was found.
    if job.outcome = 'created' then
      update job_queue q set scheduled_for = tick where q.id = job.id and q.scheduled_for > tick and tick <= clock_timestamp();
    end if;
    insert into job_schedule_ticks (schedule_id, tick_at, job_id, outcome) values ($1, tick, job.id, job.outcome);
    s.last_tick_at := tick;
    s.last_job_id := job.id;
    tick_at := tick;
    job_id := job.id;
    outcome := job.outcome;
    return next;
  end loop;
  update job_schedules q
  set next_at = $4, last_tick_at = s.last_tick_at, last_job_id = s.last_job_id,
    error_msg = case when $4 is null then 'There is no tick after this one.' end
  where q.id = $1;
  delete from job_schedule_ticks t
  where t.schedule_id = $1
    and t.tick_at < (select o.tick_at from job_schedule_ticks o where o.schedule_id = $1 order by o.tick_at desc offset 99 limit 1);
  tick_at := null;
  job_id := null;
  outcome := null;
  return next;
end
$$;
