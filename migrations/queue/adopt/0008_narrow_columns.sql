-- Integers become smallint; the rows were looked through beforehand, and one that does not fit undoes everything.
alter table job_queue
  alter column job_type type text,
  alter column error_msg type text,
  alter column priority type smallint,
  alter column attempts type smallint,
  alter column max_attempts type smallint;
