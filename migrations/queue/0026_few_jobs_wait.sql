-- The waiting jobs, where they are so few that all of them can be looked through: lists find them however old they are, through the indexes that hold nothing
-- else. Functions, because row-level security would lead the planner another way.
-- Live systems: new functions; nothing is locked.

create function few_jobs_wait(most integer) returns boolean
language sql stable
begin atomic
  select (select count(*) from (
    (select 1 from job_queue q where q.ready and not q.parked order by q.priority desc, q.scheduled_for, q.sequence limit $1 + 1)
    union all
    (select 1 from job_queue q where q.ready and q.parked
     order by q.collection_node_id, q.job_type, q.priority desc, q.scheduled_for, q.sequence limit $1 + 1)) w) <= $1;
end;

-- None when there are more.
create function few_waiting_jobs(most integer) returns table (id uuid, created_at timestamptz, collection_node_id uuid)
language sql stable rows 100
begin atomic
  select w.id, w.created_at, w.collection_node_id from (
    (select q.id, q.created_at, q.collection_node_id from job_queue q where q.ready and not q.parked
     order by q.priority desc, q.scheduled_for, q.sequence limit $1)
    union all
    (select q.id, q.created_at, q.collection_node_id from job_queue q where q.ready and q.parked
     order by q.collection_node_id, q.job_type, q.priority desc, q.scheduled_for, q.sequence limit $1)) w
  where few_jobs_wait($1)
    and ((select job_action_scope(false)) is null or w.collection_node_id = any ((select job_action_scope(false))::uuid[]));
end;
