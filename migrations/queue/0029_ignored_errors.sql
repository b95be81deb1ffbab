-- Groups of errors that somebody has set aside until they grow, and an index for what one person has done.
-- Live systems: a new table and new functions; a column without a default and a wider check of job_audit, which is locked for an instant, and then while its
-- new index is built: about a second for a million rows. Actions of people wait that long, workers do not.

create table job_ignored_errors (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  job_type text not null check (length(job_type) between 1 and 200),
  error_group text not null check (length(error_group) between 1 and 64),
  -- When more than this have failed since, it stands among the others again.
  more integer not null check (more >= 0),
  ignored_by text check (length(ignored_by) between 1 and 200),
  reason text check (length(reason) between 1 and 1000),
  ignored_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, job_type, error_group)
);

-- Not validated: every row there is has satisfied a narrower one.
alter table job_audit drop constraint job_audit_action_check;
alter table job_audit add constraint job_audit_action_check
  check (action in ('retry', 'cancel', 'pause', 'resume', 'read_raw', 'summarize', 'ignore_errors', 'unignore_errors')) not valid;
-- Which errors were set aside.
alter table job_audit add column error_group text;

create index job_audit_actor on job_audit (actor, id desc) where job_id is not null;

-- Sets a group of errors aside in those of the collections where the caller may act and where it has failed jobs now: until more than `more` have failed
-- since, in that collection. Looks through as many failed jobs as the list of groups does. Gives in how many collections.
create function ignore_errors(
  job_type text, error_group text, more integer, collection_ids uuid[], acted_by text default null, reason text default null
) returns integer
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_act constant uuid[] := job_action_scope(true);
  set_aside integer;
begin
  with mine as materialized (
    select distinct c.id from unnest(ignore_errors.collection_ids) c (id) where may_act is null or c.id = any (may_act)),
  found as materialized (
    select m.id, f.jobs from mine m, lateral (
      select count(*)::integer as jobs from (
        select q.job_type, coalesce(q.error_group, md5(q.job_type || ' ' || coalesce(q.error_msg, ''))) as error_group from job_queue q
        where q.collection_node_id = m.id and q.failed
        order by q.created_at desc, q.id desc limit 10000) n
      where n.job_type = ignore_errors.job_type and n.error_group = ignore_errors.error_group) f
    where f.jobs > 0),
  made as (
    insert into job_ignored_errors as i (collection_node_id, job_type, error_group, more, ignored_by, reason)
    select f.id, ignore_errors.job_type, ignore_errors.error_group, least(greatest(ignore_errors.more, 0), 1000000),
      job_actor(ignore_errors.acted_by), left(ignore_errors.reason, 1000)
    from found f order by f.id
    on conflict (collection_node_id, job_type, error_group) do update
      set more = excluded.more, ignored_by = excluded.ignored_by, reason = excluded.reason, ignored_at = excluded.ignored_at
    returning i.collection_node_id),
  noted as (
    insert into job_audit (actor, action, outcome, job_type, collection_node_id, error_group, reason)
    select job_actor(ignore_errors.acted_by), 'ignore_errors', 'applied', ignore_errors.job_type, m.collection_node_id, ignore_errors.error_group,
      left(ignore_errors.reason, 1000)
    from made m returning 1)
  select count(*) into set_aside from noted;
  return set_aside;
end
$$;

-- Takes it back, in the same collections. Gives in how many it was set aside.
create function unignore_errors(
  job_type text, error_group text, collection_ids uuid[], acted_by text default null, reason text default null
) returns integer
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_act constant uuid[] := job_action_scope(true);
  taken_back integer;
begin
  with gone as (
    delete from job_ignored_errors i
    where i.job_type = unignore_errors.job_type and i.error_group = unignore_errors.error_group and i.collection_node_id = any (unignore_errors.collection_ids)
      and (may_act is null or i.collection_node_id = any (may_act))
    returning i.collection_node_id),
  noted as (
    insert into job_audit (actor, action, outcome, job_type, collection_node_id, error_group, reason)
    select job_actor(unignore_errors.acted_by), 'unignore_errors', 'applied', unignore_errors.job_type, g.collection_node_id, unignore_errors.error_group,
      left(unignore_errors.reason, 1000)
    from gone g returning 1)
  select count(*) into taken_back from noted;
  return taken_back;
end
$$;
