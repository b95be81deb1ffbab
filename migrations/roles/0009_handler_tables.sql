-- For tables that handlers write, also your own: select secure_handler_table('my_table'). They must have a column collection_node_id.
-- Live systems: only a new function. What it does locks that table for an instant.

-- A worker reads every row: handlers read outside any transaction and name the tenant themselves. It writes in a job's write(trx) only,
-- and there only rows of the job's collection; anything else ends the statement.
-- web_may_read     users see the rows of their collections
-- may_be_deleted   a condition on old: such a row may be deleted by any worker at any time
create function secure_handler_table(handler_table regclass, web_may_read boolean default true, may_be_deleted text default 'false')
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
end
$$;
alter function secure_handler_table(regclass, boolean, text) owner to queue_owner;
revoke all on function secure_handler_table(regclass, boolean, text) from public;

create function refuse_foreign_delete() returns trigger
language plpgsql
set search_path from current
as $$
begin
  perform refuse_foreign_write(tg_relid::regclass::text);
  return null;
end
$$;
alter function refuse_foreign_delete() owner to queue_owner;
revoke all on function refuse_foreign_delete() from public;
grant execute on function secure_queue_table(regclass), secure_handler_table(regclass, boolean, text), refuse_bare_privileges(regclass),
  join_queue_owner(name), refuse_foreign_delete() to queue_migrator;
