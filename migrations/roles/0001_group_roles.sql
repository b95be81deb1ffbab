-- Group roles: nobody logs in as one of them; logins are made members. docs/operations.md says who gets which.
-- Roles belong to the whole server and databases share them: those that are there already are used as they are.
-- Live systems: nothing is locked.

do $$
declare
  names constant text[] := array['queue_owner', 'queue_worker', 'queue_enqueue', 'queue_web', 'queue_migrator', 'queue_backup', 'queue_metrics'];
  me pg_roles := (select r from pg_roles r where r.rolname = current_user);
  missing text[] := array(select n from unnest(names) n where not exists (select from pg_roles where rolname = n));
  too_powerful text[];
  wanted text;
begin
  if missing <> '{}' and not (me.rolsuper or me.rolcreaterole) then
    raise exception 'the role % may not create roles, and % missing', current_user,
        array_to_string(missing, ', ') || case when cardinality(missing) = 1 then ' is' else ' are' end
      using errcode = 'insufficient_privilege',
        hint = format('Let a superuser run, in any database: %s; grant queue_owner to queue_migrator, %I; and then run this again.',
          (select string_agg(format('create role %I nologin%s', m, case when m = 'queue_backup' then ' bypassrls' else '' end), '; ') from unnest(missing) m),
          current_user);
  end if;
  foreach wanted in array missing loop
    begin
      execute format('create role %I nologin', wanted);
    exception when duplicate_object or unique_violation then
      null; -- Another database's migration was faster.
    end;
  end loop;

  too_powerful := array(
    select r.rolname from pg_roles r
    where r.rolname = any (names) and (r.rolsuper or r.rolbypassrls and r.rolname <> 'queue_backup') order by 1);
  if too_powerful <> '{}' then
    raise exception 'row-level security does not hold for %', array_to_string(too_powerful, ', ')
      using errcode = 'insufficient_privilege',
        hint = format('Let a superuser run: %s; and then run this again.',
          (select string_agg(format('alter role %I nosuperuser nobypassrls', r), '; ') from unnest(too_powerful) r));
  end if;

  -- Whoever may not give this attribute makes backups with --enable-row-security: queue_backup sees every row by policy, too.
  if 'queue_backup' = any (missing) and (me.rolsuper or me.rolbypassrls and current_setting('server_version_num')::int >= 160000) then
    alter role queue_backup bypassrls;
  end if;
  if not pg_has_role('queue_migrator', 'queue_owner', 'usage') then
    grant queue_owner to queue_migrator;
  end if;
end
$$;

-- Takes over the owner's rights, so that whoever owned the queue until now goes on unharmed.
create function join_queue_owner(member name) returns void
language plpgsql
set search_path from current
as $$
begin
  if pg_has_role(member, 'queue_owner', 'usage') then return; end if;
  execute format('grant queue_owner to %I', member)
    || case when current_setting('server_version_num')::int >= 160000 then ' with inherit true, set true' else '' end;
end
$$;
revoke all on function join_queue_owner(name) from public;
