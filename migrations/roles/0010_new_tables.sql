-- What later tables of the queue need: queue_owner may refer to nodes from them, and backups read the numbers their identities have reached.
-- Live systems: nothing is locked.

do $$
declare
  numbers regclass;
begin
  grant references (id) on nodes to queue_owner;
  for numbers in
    select c.oid from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' and c.relowner = 'queue_owner'::regrole
  loop
    execute format('grant select on sequence %s to queue_backup', numbers);
  end loop;
end
$$;

-- As 0004_job_workers.sql made it, and the table's sequences.
create or replace function secure_queue_table(queue_table regclass) returns void
language plpgsql
set search_path from current
as $$
declare
  numbers regclass;
begin
  perform refuse_bare_privileges(queue_table);
  execute format('alter table %s owner to queue_owner', queue_table);
  execute format('alter table %s enable row level security, force row level security', queue_table);
  execute format('create policy owner on %s to queue_owner using (true) with check (true)', queue_table);
  execute format('create policy worker on %s to queue_worker using (true) with check (true)', queue_table);
  execute format('create policy backup on %s for select to queue_backup using (true)', queue_table);
  execute format('grant select on %s to queue_backup', queue_table);
  for numbers in
    select d.objid from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'S'
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = queue_table and d.deptype in ('a', 'i')
  loop
    execute format('grant select on sequence %s to queue_backup', numbers);
  end loop;
end
$$;
