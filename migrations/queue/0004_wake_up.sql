-- Wakes a sleeping worker when there is something to do. A notification carries no data: it only says "look again".
-- Live systems: two triggers on job_queue need its lock for an instant.

-- Sends one notification if some worker is idle, alive and takes one of these types. Also called by the statements that make
-- existing rows due.
create function wake_idle_workers(job_types text[]) returns void
language sql
set search_path from current
as $$
  select pg_notify('job_queue_wake', '')
  where exists (
    select from job_workers w
    where w.idle and w.dead_at is null and w.lease_expires_at > clock_timestamp() and w.types && $1
  )
$$;

create function wake_on_insert() returns trigger
language plpgsql
set search_path from current
as $$
declare
  due_types text[] := array(select distinct i.job_type from inserted i where i.scheduled_for <= clock_timestamp());
begin
  if due_types <> '{}' then perform wake_idle_workers(due_types); end if;
  return null;
end
$$;

create trigger job_queue_wake after insert on job_queue
  referencing new table as inserted for each statement execute function wake_on_insert();

-- The trigger above looks at the moment of the insert. A worker that goes idle between that look and a late commit would sleep
-- until its next poll; somebody waits for jobs of high priority, so for those the look is repeated at commit.
create function wake_at_commit() returns trigger
language plpgsql
set search_path from current
as $$
begin
  if new.scheduled_for <= clock_timestamp() then perform wake_idle_workers(array[new.job_type]); end if;
  return null;
end
$$;

create constraint trigger job_queue_wake_at_commit after insert on job_queue
  deferrable initially deferred for each row when (new.priority >= 10) execute function wake_at_commit();
