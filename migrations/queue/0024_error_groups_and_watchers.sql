-- What failed jobs have in common, and whether anybody watches the page.
-- Live systems: a column without a default and a new table; a lock on job_queue for an instant. Workers of before leave the column empty.

-- Jobs of one type that failed for the same reason have the same group: a hash of the error's code, its message without numbers and names, and where it was thrown.
alter table job_queue add column error_group text;

-- One row a process that shows the page; workers tell of changes only while there is one.
create table job_page_watchers (
  id uuid primary key,
  expires_at timestamptz not null
);

create function watch_job_page(id uuid, seconds integer default 60) returns void
language sql
begin atomic
  delete from job_page_watchers w where w.expires_at < clock_timestamp() - interval '1 hour';
  insert into job_page_watchers as w (id, expires_at) values ($1, clock_timestamp() + least(greatest($2, 1), 600) * interval '1 second')
  on conflict (id) do update set expires_at = excluded.expires_at;
end;
