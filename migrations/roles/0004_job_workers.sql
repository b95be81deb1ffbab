-- Who may do what with the table of workers, and the helper for tables of the queue that have no tenant.
-- Live systems: job_workers is locked for an instant.

-- Row-level security that lets the worker through: claims and settles serve all tenants. The owner is bound as well, so that a
-- refused row is not printed in the error.
create function secure_queue_table(queue_table regclass) returns void
language plpgsql
set search_path from current
as $$
begin
  perform refuse_bare_privileges(queue_table);
  execute format('alter table %s owner to queue_owner', queue_table);
  execute format('alter table %s enable row level security, force row level security', queue_table);
  execute format('create policy owner on %s to queue_owner using (true) with check (true)', queue_table);
  execute format('create policy worker on %s to queue_worker using (true) with check (true)', queue_table);
  execute format('create policy backup on %s for select to queue_backup using (true)', queue_table);
  execute format('grant select on %s to queue_backup', queue_table);
end
$$;
alter function secure_queue_table(regclass) owner to queue_owner;
revoke all on function secure_queue_table(regclass) from public;

select secure_queue_table('job_workers');
grant select, insert, update, delete on job_workers to queue_worker;

-- What the page needs to say whether anybody would take a job; machines and processes are the operator's business.
create policy web on job_workers for select to queue_web using (nullif(current_setting('app.user_id', true), '') is not null);
grant select (id, version, types, slots, registered_at, heartbeat_at, lease_expires_at, idle, draining, dead_at) on job_workers to queue_web;
