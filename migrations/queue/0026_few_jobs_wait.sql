-- Whether so few jobs wait that all of them can be looked through: lists choose their way by it.
-- Live systems: a new function; nothing is locked.

create function few_jobs_wait(most integer) returns boolean
language sql stable
begin atomic
  select (select count(*) from (
    (select from job_queue q where q.ready and not q.parked limit $1 + 1)
    union all
    (select from job_queue q where q.ready and q.parked limit $1 + 1)) w) <= $1;
end;
