-- Breakers: what all workers know together about the services that jobs cannot do without. A row per service that has ever failed, and a statement
-- for each thing that may happen to it. docs/operations.md tells what it looks like from outside.
-- Live systems: a new table and new functions; a short lock on job_workers: a column with a constant default rewrites nothing.
-- Workers of before do not know breakers and go on taking jobs whose service is down.

create table service_breakers (
  service text primary key check (length(service) between 1 and 63),
  -- How often it has opened. Also the fence: what a call says that began before the newest opening counts no more.
  openings integer not null default 0,
  -- Failures in a row, while it is closed.
  failures integer not null default 0,
  -- When the first of them was; null: none.
  failing_since timestamptz,
  -- Null: closed.
  opened_at timestamptz,
  -- How many probes have failed since then. Each makes the next one wait longer.
  probes integer not null default 0,
  -- No probe before this.
  probe_at timestamptz,
  -- The probe that is under way, and until when it must have been heard of: else it is taken for dead.
  probe_id uuid,
  probe_expires_at timestamptz,
  -- The newest failure that counted.
  failed_at timestamptz,
  error_code text,
  error_msg text,
  http_status smallint,
  constraint service_breakers_whole check (
    (opened_at is null) = (probe_at is null) and (probe_id is null) = (probe_expires_at is null) and (opened_at is not null or probe_id is null)),
  constraint service_breakers_text_size check (length(error_code) <= 100 and length(error_msg) <= 2000)
);

-- Which services the jobs of a type cannot do without, as the worker's build says: {"whisper_transcribe": ["transcription"]}.
alter table job_workers add column services jsonb not null default '{}';

-- Whoever is about to call a service asks first. Closed: every call goes. Open: none, but for one probe at a time, whose number comes back; it has to
-- be renewed within a minute. wait_ms: how long to stay away otherwise.
create function admit_service_call(service text)
returns table (admitted boolean, opening integer, probe uuid, wait_ms double precision, since timestamptz)
language plpgsql
set search_path from current
as $$
declare
  b service_breakers;
begin
  select * into b from service_breakers s where s.service = $1;
  if b.opened_at is not null then
    -- Of those who come at the same moment the others wait for the first one's lock, and then find its probe.
    update service_breakers s set probe_id = gen_random_uuid(), probe_expires_at = clock_timestamp() + interval '1 minute'
    where s.service = $1 and s.opened_at is not null and s.probe_at <= clock_timestamp()
      and (s.probe_id is null or s.probe_expires_at <= clock_timestamp())
    returning * into b;
    if found then
      perform pg_notify('job_queue_services', '');
      return query select true, b.openings, b.probe_id, 0::double precision, b.opened_at;
      return;
    end if;
    select * into b from service_breakers s where s.service = $1;
  end if;
  return query select b.opened_at is null, coalesce(b.openings, 0), null::uuid, service_wait_ms(b), b.opened_at;
end
$$;

-- How long to stay away from it, in milliseconds: until its next probe, or half a minute while one is under way.
create function service_wait_ms(breaker service_breakers) returns double precision
language sql volatile
set search_path from current
as $$
  select case
    when $1.opened_at is null then 0
    when $1.probe_expires_at > clock_timestamp() then 30000
    else greatest(extract(epoch from $1.probe_at - clock_timestamp()) * 1000, 0)
  end::double precision
$$;

-- What became of a call that was admitted.
--   success   the service answered: failures are forgotten; a probe closes the breaker
--   failure   it could not be reached, took too long, or is in trouble of its own: the fifth in a row opens it, or the third when
--             the first is a minute old: one job that comes back alone must not use up its attempts on it
--   fault     it refuses our credentials, and will refuse everybody's: opens it at once
--   none      says nothing about the service: a probe makes room for the next one
-- A probe that fails makes the next one wait twice as long: half a minute, one, two … up to a quarter of an hour, or as long as the service
-- asked for (quiet_ms) within that. What a call says that began before the breaker opened, or a probe that was taken for dead, changes nothing; but the
-- success of any probe closes it.
create function record_service_call(
  service text, opening integer, probe uuid, verdict text, quiet_ms double precision default 0,
  error_code text default null, error_msg text default null, http_status integer default null
) returns table (is_open boolean, wait_ms double precision, since timestamptz)
language plpgsql
set search_path from current
as $$
declare
  quiet interval := least(greatest(quiet_ms, 0), 900000) * interval '1 millisecond';
  changed boolean := false;
begin
  if verdict = 'success' and probe is not null then
    update service_breakers s
    set failures = 0, failing_since = null, opened_at = null, probes = 0, probe_at = null, probe_id = null, probe_expires_at = null
    where s.service = $1 and s.openings = $2 and s.opened_at is not null;
    changed := found;
  elsif verdict = 'success' then
    update service_breakers s set failures = 0, failing_since = null where s.service = $1 and s.openings = $2 and s.opened_at is null and s.failures > 0;
  elsif verdict in ('failure', 'fault') and probe is not null then
    update service_breakers s
    set probes = s.probes + 1, probe_id = null, probe_expires_at = null, failed_at = clock_timestamp(),
      probe_at = clock_timestamp() + greatest(quiet, least(interval '30 seconds' * power(2, least(s.probes + 1, 10)), interval '15 minutes')),
      error_code = $6, error_msg = $7, http_status = $8
    where s.service = $1 and s.probe_id = $3;
    changed := found;
  elsif verdict in ('failure', 'fault') then
    insert into service_breakers as s (service, failures, failing_since, failed_at, error_code, error_msg, http_status)
    values ($1, 1, clock_timestamp(), clock_timestamp(), $6, $7, $8)
    on conflict on constraint service_breakers_pkey do update
    set failures = s.failures + 1, failing_since = coalesce(s.failing_since, clock_timestamp()),
      failed_at = clock_timestamp(), error_code = $6, error_msg = $7, http_status = $8
    where s.openings = $2 and s.opened_at is null;
    if found then
      update service_breakers s
      set openings = s.openings + 1, opened_at = clock_timestamp(), probe_at = clock_timestamp() + greatest(quiet, interval '30 seconds')
      where s.service = $1 and (verdict = 'fault' or s.failures >= 5
        or s.failures >= 3 and s.failing_since <= clock_timestamp() - interval '1 minute');
      changed := found;
    end if;
  elsif verdict = 'none' then
    update service_breakers s set probe_id = null, probe_expires_at = null, probe_at = clock_timestamp() + quiet
    where s.service = $1 and s.probe_id = $3;
    changed := found;
  else
    raise exception 'there is no verdict %', verdict using errcode = 'invalid_parameter_value';
  end if;
  if changed then perform pg_notify('job_queue_services', ''); end if;
  return query select s.opened_at is not null, service_wait_ms(s), s.opened_at from service_breakers s where s.service = $1;
end
$$;

-- The probe is alive. False: it was taken for dead, or is over.
create function renew_service_probe(service text, probe uuid) returns boolean
language sql
begin atomic
  with renewed as (
    update service_breakers s set probe_expires_at = clock_timestamp() + interval '1 minute'
    where s.service = $1 and s.probe_id = $2 and s.opened_at is not null returning 1)
  select exists (select from renewed);
end;

-- For operators: closes the breaker and forgets its failures; jobs it has put off are due at once, and workers look. False: it was not open.
create function reset_service_breaker(service text) returns boolean
language plpgsql
set search_path from current
as $$
declare
  was_open boolean;
begin
  select s.opened_at is not null into was_open from service_breakers s where s.service = $1 for no key update;
  update service_breakers s
  set failures = 0, failing_since = null, opened_at = null, probes = 0, probe_at = null, probe_id = null, probe_expires_at = null
  where s.service = $1;
  if was_open is not true then return false; end if;
  update job_queue q set scheduled_for = clock_timestamp()
  where q.id = any (array(
    select j.id
    from (select distinct t.key as job_type from job_workers w, jsonb_each(w.services) t where t.value ? $1) t
      join job_queue j on j.ready and not j.parked and j.job_type = t.job_type
    where j.snoozes > 0 and j.scheduled_for > now() and j.scheduled_for < now() + interval '20 minutes'
      and exists (select from job_attempts a where a.job_id = j.id and a.run = j.run and a.error_code = 'SERVICE_DOWN')
    limit 1000
    for no key update of j skip locked));
  perform pg_notify('job_queue_services', '');
  return true;
end
$$;
