-- Apart from the rewrite, because it also locks nodes, and the table that the old key points to: for an instant each.
do $$
declare
  tenant constant smallint[] := array(
    select attnum from pg_attribute where attrelid = 'job_queue'::regclass and attname = 'collection_node_id');
  ours constant text := 'FOREIGN KEY (collection_node_id) REFERENCES nodes(id) ON DELETE CASCADE';
  old record;
begin
  for old in
    select conname from pg_constraint
    where conrelid = 'job_queue'::regclass and contype = 'f' and conkey = tenant
      and not (conname = 'job_queue_collection_node_id_fkey' and replace(pg_get_constraintdef(oid), ' NOT VALID', '') = ours)
  loop
    execute format('alter table job_queue drop constraint %I', old.conname);
  end loop;
  if not exists (
    select from pg_constraint where conrelid = 'job_queue'::regclass and conname = 'job_queue_collection_node_id_fkey'
  ) then
    alter table job_queue add constraint job_queue_collection_node_id_fkey
      foreign key (collection_node_id) references nodes (id) on delete cascade not valid;
  end if;
end
$$;
