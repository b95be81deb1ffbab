-- How every job gets into the queue: the TypeScript API, triggers and psql all call enqueue_job or enqueue_jobs.
-- Live systems: only new functions.

-- One job with a unique key. The key belongs to the job that holds it, per collection and type, until that job is claimed or
-- finished. What happens when it is held:
--   keep      nothing; the holder's id comes back
--   replace   a waiting holder gets the new payload, priority and limits, all its attempts anew, and keeps its place in time
--   debounce  as replace, and its time starts anew
-- A holder that runs is never touched: 'kept'.
create function enqueue_unique_job(
  collection_node_id uuid, job_type text, payload jsonb, priority smallint, scheduled_for timestamptz, max_attempts smallint,
  unique_key text, unique_until text, on_conflict text, correlation_id text, sequence bigint
) returns table (id uuid, outcome text)
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
begin
  -- Between a refused insert and the look at the holder, the holder may let go of the key: then the insert is tried again.
  for try in 1..100 loop
    return query
      insert into job_queue (collection_node_id, job_type, payload, priority, scheduled_for, max_attempts,
        unique_key, unique_until, unique_held, correlation_id, sequence)
      overriding system value
      values ($1, $2, $3, $4, $5, $6, $7, $8, true, $10, $11)
      on conflict (collection_node_id, job_type, unique_key) where unique_held do nothing
      returning id, 'created'::text;
    if found then return; end if;
    if $9 <> 'keep' then
      return query
        update job_queue q
        set payload = $3, priority = $4, max_attempts = $6, correlation_id = $10, status = 'pending', attempts = 0, snoozes = 0,
            scheduled_for = case when $9 = 'debounce' then $5 else q.scheduled_for end
        where q.collection_node_id = $1 and q.job_type = $2 and q.unique_key = $7 and q.unique_held and q.ready
        returning q.id, 'replaced'::text;
      if found then
        -- Results of steps belong to the payload they were made from.
        delete from job_steps s using job_queue q
        where s.job_id = q.id and q.collection_node_id = $1 and q.job_type = $2 and q.unique_key = $7 and q.unique_held;
        if $5 <= clock_timestamp() then perform wake_idle_workers(array[$2]); end if;
        return;
      end if;
    end if;
    return query
      select q.id, 'kept'::text from job_queue q
      where q.collection_node_id = $1 and q.job_type = $2 and q.unique_key = $7 and q.unique_held;
    if found then return; end if;
  end loop;
  raise exception 'unique key % changed hands a hundred times while it was being enqueued', quote_literal($7) using errcode = '40001';
end
$$;

-- Many jobs in one call. All arrays but the first three may be null, and so may their elements: null means the default.
-- Rows come back in input order; of equal unique keys in one call the first wins.
create function enqueue_jobs(
  collection_node_ids uuid[], job_types text[], payloads jsonb[],
  priorities smallint[] default null, scheduled_fors timestamptz[] default null, max_attempts smallint[] default null,
  unique_keys text[] default null, unique_untils text[] default null, on_conflicts text[] default null,
  correlation_ids text[] default null
) returns table (id uuid, outcome text)
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  ids uuid[];
  outcomes text[];
  keyed record;
  done record;
  wrong text;
  last_collection uuid;
  last_type text;
  last_key text;
begin
  if exists (
    select from (values (cardinality($2)), (cardinality($3)), (coalesce(cardinality($4), cardinality($1))),
      (coalesce(cardinality($5), cardinality($1))), (coalesce(cardinality($6), cardinality($1))),
      (coalesce(cardinality($7), cardinality($1))), (coalesce(cardinality($8), cardinality($1))),
      (coalesce(cardinality($9), cardinality($1))), (coalesce(cardinality($10), cardinality($1)))) a (length)
    where a.length is null or a.length is distinct from cardinality($1))
  then
    raise exception 'enqueue_jobs: every array must be as long as collection_node_ids (%)', coalesce(cardinality($1)::text, 'null')
      using errcode = '22023';
  end if;
  select u into wrong from unnest($8) u where u not in ('claimed', 'finished') limit 1;
  if found then raise exception 'unique_until must be claimed or finished, got %', quote_literal(wrong) using errcode = '22023'; end if;
  select c into wrong from unnest($9) c where c not in ('keep', 'replace', 'debounce') limit 1;
  if found then raise exception 'on_conflict must be keep, replace or debounce, got %', quote_literal(wrong) using errcode = '22023'; end if;

  if $7 is null or array_remove($7, null) = '{}' then
    return query
      insert into job_queue (collection_node_id, job_type, payload, priority, scheduled_for, max_attempts, correlation_id)
      select i.collection_node_id, i.job_type, i.payload, coalesce(i.priority, 0::smallint),
        greatest(i.scheduled_for, now()), coalesce(i.max_attempts, 3::smallint), i.correlation_id
      from unnest($1, $2, $3, $4, $5, $6, $10) with ordinality
        i (collection_node_id, job_type, payload, priority, scheduled_for, max_attempts, correlation_id, position)
      order by i.position
      returning id, 'created'::text;
    return;
  end if;

  -- Keys are taken in one order by everybody, or two calls with the same keys would wait for each other. The sequence is drawn
  -- beforehand, so that the jobs still stand in the order they were given.
  for keyed in
    select i.* from (
      select t.*, nextval(pg_get_serial_sequence('job_queue', 'sequence')) as sequence
      from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) with ordinality
        t (collection_node_id, job_type, payload, priority, scheduled_for, max_attempts, unique_key, unique_until, on_conflict,
          correlation_id, position)
    ) i
    order by i.unique_key collate "C" nulls first, i.job_type collate "C", i.collection_node_id, i.position
  loop
    if keyed.unique_key is null then
      insert into job_queue (collection_node_id, job_type, payload, priority, scheduled_for, max_attempts, correlation_id, sequence)
      overriding system value
      values (keyed.collection_node_id, keyed.job_type, keyed.payload, coalesce(keyed.priority, 0::smallint),
        greatest(keyed.scheduled_for, now()), coalesce(keyed.max_attempts, 3::smallint), keyed.correlation_id, keyed.sequence)
      returning id, 'created'::text as outcome into done;
    elsif keyed.unique_key = last_key and keyed.job_type = last_type and keyed.collection_node_id = last_collection then
      done.outcome := 'kept';
    else
      select u.id, u.outcome into done from enqueue_unique_job(
        keyed.collection_node_id, keyed.job_type, keyed.payload, coalesce(keyed.priority, 0::smallint),
        greatest(keyed.scheduled_for, now()), coalesce(keyed.max_attempts, 3::smallint), keyed.unique_key,
        coalesce(keyed.unique_until, 'claimed'), coalesce(keyed.on_conflict, 'keep'), keyed.correlation_id, keyed.sequence) u;
    end if;
    last_collection := keyed.collection_node_id;
    last_type := keyed.job_type;
    last_key := keyed.unique_key;
    ids[keyed.position] := done.id;
    outcomes[keyed.position] := done.outcome;
  end loop;
  return query select r.id, r.outcome from unnest(ids, outcomes) with ordinality r (id, outcome, position) order by r.position;
end
$$;

create function enqueue_job(
  collection_node_id uuid, job_type text, payload jsonb,
  priority smallint default null, scheduled_for timestamptz default null, max_attempts smallint default null,
  unique_key text default null, unique_until text default null, on_conflict text default null, correlation_id text default null
) returns table (id uuid, outcome text)
language sql
begin atomic
  select e.id, e.outcome
  from enqueue_jobs(array[$1], array[$2], array[$3], array[$4], array[$5], array[$6], array[$7], array[$8], array[$9], array[$10]) e;
end;
