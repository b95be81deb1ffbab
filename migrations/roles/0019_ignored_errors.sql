-- Who sees and sets aside errors: users through functions that run as queue_owner and look up what the user may do.
-- Live systems: the new table is locked for an instant.

select secure_queue_table('job_ignored_errors');

create policy web on job_ignored_errors for select to queue_web using (collection_node_id = any (array(select job_user_collections(false))));
grant select on job_ignored_errors to queue_web;
grant select (error_group) on job_audit to queue_web;

do $$
declare
  called text;
begin
  foreach called in array array['ignore_errors(text, text, integer, uuid[], text, text)', 'unignore_errors(text, text, uuid[], text, text)'] loop
    execute format('alter function %s owner to queue_owner', called);
    execute format('alter function %s security definer', called);
    execute format('revoke all on function %s from public', called);
    execute format('grant execute on function %s to queue_web', called);
  end loop;
end
$$;
