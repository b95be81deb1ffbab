-- The queue belongs to queue_owner from here on: what runs with its owner's rights (security definer) must not run with a superuser's.
-- The owner of before becomes a member of it and goes on as it was; once no process uses it any more, revoke that.
-- Live systems: all tables of the queue are locked for the instant in which they change hands.

-- Row-level security would hide every row from a role that was only granted the table, without a word.
create function refuse_bare_privileges(relation regclass) returns void
language plpgsql
set search_path from current
as $$
declare
  bare text[] := array(
    select distinct coalesce(r.rolname, 'public')
    from (select relacl from pg_class where oid = relation union all select attacl from pg_attribute where attrelid = relation) l (acl),
      aclexplode(l.acl) a left join pg_roles r on r.oid = a.grantee
    where a.grantee <> (select relowner from pg_class where oid = relation)
      and (r.oid is null or not exists (
        select from pg_roles g where g.rolname ~ '^queue_(owner|worker|enqueue|web|migrator|backup|metrics)$' and pg_has_role(r.oid, g.oid, 'usage')))
    order by 1);
begin
  if bare = '{}' then return; end if;
  raise exception 'row-level security would hide the rows of % from %', relation, array_to_string(bare, ', ')
    using errcode = 'insufficient_privilege',
      hint = format('Say first what each of them is, such as grant queue_worker to %s, or revoke all on %s from it; and then run this again.',
        (select string_agg(case b when 'public' then b else quote_ident(b) end, ', ') from unnest(bare) b), relation);
end
$$;
revoke all on function refuse_bare_privileges(regclass) from public;

do $$
declare
  part text;
  place constant text := quote_ident(current_schema());
begin
  perform join_queue_owner(rolname) from pg_roles
  where not rolsuper and (rolname = current_user or oid = (select relowner from pg_class where oid = 'job_queue'::regclass));

  execute format('grant usage on schema %s to queue_worker, queue_enqueue, queue_web, queue_backup, queue_metrics', place);
  execute format('grant usage, create on schema %s to queue_owner', place);
  -- Whoever may make objects here could give functions that run as queue_owner other operators than they mean.
  execute format('revoke create on schema %s from public', place);
  if has_schema_privilege('queue_enqueue', current_schema()::text, 'create') then
    raise exception 'everybody may create objects in the schema %', place
      using errcode = 'insufficient_privilege',
        hint = format('Let its owner or a superuser run: revoke create on schema %s from public; and then run this again.', place);
  end if;

  foreach part in array array['job_queue', 'job_workers', 'job_attempts', 'job_steps', 'job_migrations'] loop
    perform refuse_bare_privileges(part::regclass);
    execute format('alter table %I owner to queue_owner', part);
    execute format('grant select on %I to queue_backup', part);
  end loop;
  alter type job_status owner to queue_owner;
  for part in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = place::regnamespace and p.proname in (
      'wake_idle_workers', 'wake_on_insert', 'wake_at_commit', 'enqueue_unique_job', 'enqueue_jobs', 'enqueue_job',
      'join_queue_owner', 'refuse_bare_privileges', 'refuse_foreign_write')
  loop
    execute format('alter function %s owner to queue_owner', part);
    execute format('revoke all on function %s from public', part);
  end loop;
end
$$;
