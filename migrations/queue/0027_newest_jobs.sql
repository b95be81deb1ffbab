-- The newest jobs of some collections: which rows a page of a list shows, told from the index alone. The rows themselves are then read under row-level security.
-- Live systems: a new function; nothing is locked.
--
-- Collection by collection, because no index has all jobs in order of time, and one scan of many collections would sort all that they have. One or two of
-- each tell how old the last job of the page can be at most; then each gives what is not older. A function, so that its plan is kept, and so that
-- the policy is looked up once and not for each of these scans.

create function newest_jobs(
  collections uuid[], failed_only boolean, most integer, after_us double precision default null, after_id uuid default null,
  created_from timestamptz default null, created_before timestamptz default null
) returns table (id uuid, created_at timestamptz)
language plpgsql stable rows 50
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  after_at constant timestamptz := 'epoch'::timestamptz + newest_jobs.after_us * interval '1 microsecond';
  since constant timestamptz := coalesce(newest_jobs.created_from, '-infinity');
  until constant timestamptz := coalesce(newest_jobs.created_before, 'infinity');
  whose uuid[];
begin
  if newest_jobs.collections is null and may_see is null then
    whose := array(
      with recursive present as (
        (select q.collection_node_id as node_id from job_queue q order by q.collection_node_id limit 1)
        union all
        select (select q.collection_node_id from job_queue q where q.collection_node_id > p.node_id order by q.collection_node_id limit 1)
        from present p where p.node_id is not null)
      select p.node_id from present p where p.node_id is not null);
  else
    whose := array(
      select distinct c.id from unnest(coalesce(newest_jobs.collections, may_see)) c (id) where may_see is null or c.id = any (may_see));
  end if;
  if whose = '{}' then return; end if;
  if newest_jobs.failed_only then
    return query
      select k.id, k.created_at
      from unnest(whose) w (id),
        (select coalesce(max(h.created_at), '-infinity') as oldest from (
          select f.created_at from unnest(whose) v (id), lateral (
            select q.created_at from job_queue q
            where q.collection_node_id = v.id and q.failed and (newest_jobs.after_id is null or (q.created_at, q.id) < (after_at, newest_jobs.after_id))
              and q.created_at >= since and q.created_at < until
            order by q.created_at desc, q.id desc limit newest_jobs.most / cardinality(whose) + 1) f
          order by f.created_at desc limit case when cardinality(whose) > 1 then 1 else 0 end offset newest_jobs.most - 1) h) least,
        lateral (
          select q.id, q.created_at from job_queue q
          where q.collection_node_id = w.id and q.failed and (newest_jobs.after_id is null or (q.created_at, q.id) < (after_at, newest_jobs.after_id))
            and q.created_at >= since and q.created_at < until and q.created_at >= least.oldest
          order by q.created_at desc, q.id desc limit newest_jobs.most) k
      order by k.created_at desc, k.id desc limit newest_jobs.most;
  else
    return query
      select k.id, k.created_at
      from unnest(whose) w (id),
        (select coalesce(max(h.created_at), '-infinity') as oldest from (
          select f.created_at from unnest(whose) v (id), lateral (
            select q.created_at from job_queue q
            where q.collection_node_id = v.id and (newest_jobs.after_id is null or (q.created_at, q.id) < (after_at, newest_jobs.after_id))
              and q.created_at >= since and q.created_at < until
            order by q.created_at desc, q.id desc limit newest_jobs.most / cardinality(whose) + 1) f
          order by f.created_at desc limit case when cardinality(whose) > 1 then 1 else 0 end offset newest_jobs.most - 1) h) least,
        lateral (
          select q.id, q.created_at from job_queue q
          where q.collection_node_id = w.id and (newest_jobs.after_id is null or (q.created_at, q.id) < (after_at, newest_jobs.after_id))
            and q.created_at >= since and q.created_at < until and q.created_at >= least.oldest
          order by q.created_at desc, q.id desc limit newest_jobs.most) k
      order by k.created_at desc, k.id desc limit newest_jobs.most;
  end if;
end
$$;
