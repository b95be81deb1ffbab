-- Jobs are enqueued with the rights of queue_owner, by whoever may call these functions: nobody else can insert.
--
-- Their search_path is the queue's schema and, last, pg_temp: no temporary table can stand in for ours, and in the schema only
-- its owners may make anything (0003_queue_owner.sql).
--
-- Live systems: nothing is locked.

alter function enqueue_jobs(uuid[], text[], jsonb[], smallint[], timestamptz[], smallint[], text[], text[], text[], text[]) security definer;
alter function enqueue_job(uuid, text, jsonb, smallint, timestamptz, smallint, text, text, text, text) security definer;
-- They look at job_workers, and the second one runs at commit, when whoever enqueued has no rights of others any more.
alter function wake_on_insert() security definer;
alter function wake_at_commit() security definer;

grant execute on function
  enqueue_jobs(uuid[], text[], jsonb[], smallint[], timestamptz[], smallint[], text[], text[], text[], text[]),
  enqueue_job(uuid, text, jsonb, smallint, timestamptz, smallint, text, text, text, text)
to queue_worker, queue_enqueue, queue_web;
grant execute on function wake_idle_workers(text[]) to queue_worker;
