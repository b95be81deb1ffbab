-- A job could take a row of another collection for its own: the policy of updates sees the new row only, and an upsert that sets the collection is such an
-- update. The old row is looked at by a trigger, as for deletes. Besides, workers may draw from the sequences of serial columns.
-- Live systems: each table of handlers is locked against writing for an instant.

-- As 0009_handler_tables.sql made it, and what that lacked.
create or replace function secure_handler_table(handler_table regclass, web_may_read boolean default true, may_be_deleted text default 'false')
returns void
language plpgsql
set search_path from current
as $$
declare
  own constant text := format(
    'case when collection_node_id = (select nullif(current_setting(''jobs.collection'', true), '''')::uuid) then true else refuse_foreign_write(%L) end',
    handler_table::text);
begin
  perform secure_queue_table(handler_table);
  execute format('drop policy worker on %s', handler_table);
  execute format('create policy worker_select on %s for select to queue_worker using (true)', handler_table);
  execute format('create policy worker_insert on %s for insert to queue_worker with check (%s)', handler_table, own);
  execute format('create policy worker_update on %s for update to queue_worker using (true) with check (%s)', handler_table, own);
  -- A policy could only hide the row from the delete; the trigger says that it was refused.
  execute format('create policy worker_delete on %s for delete to queue_worker using (true)', handler_table);
  execute format(
    'create trigger refuse_foreign_delete before delete on %s for each row when (
       old.collection_node_id is distinct from nullif(current_setting(''jobs.collection'', true), '''')::uuid
       and (%s) is not true and not pg_has_role(''queue_owner'', ''usage''))
     execute function refuse_foreign_delete()', handler_table, may_be_deleted);
  execute format('grant select, insert, update, delete on %s to queue_worker', handler_table);
  if web_may_read then
    execute format('create policy web on %s for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))))',
      handler_table);
    execute format('grant select on %s to queue_web', handler_table);
  end if;
  perform refuse_foreign_updates(handler_table);
end
$$;

create function refuse_foreign_updates(handler_table regclass) returns void
language plpgsql
set search_path from current
as $$
declare
  numbers regclass;
begin
  execute format(
    'create trigger refuse_foreign_update before update on %s for each row when (
       old.collection_node_id is distinct from nullif(current_setting(''jobs.collection'', true), '''')::uuid
       and not pg_has_role(''queue_owner'', ''usage''))
     execute function refuse_foreign_delete()', handler_table);
  for numbers in
    select d.objid from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'S'
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = handler_table and d.deptype = 'a'
  loop
    execute format('grant usage on sequence %s to queue_worker', numbers);
  end loop;
end
$$;
alter function refuse_foreign_updates(regclass) owner to queue_owner;
revoke all on function refuse_foreign_updates(regclass) from public;
grant execute on function refuse_foreign_updates(regclass) to queue_migrator;

select refuse_foreign_updates(t.tgrelid)
from pg_trigger t where t.tgname = 'refuse_foreign_delete' and t.tgfoid = 'refuse_foreign_delete'::regproc;
