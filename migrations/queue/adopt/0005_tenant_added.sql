-- A constant default is kept beside the table, not written into its rows. An empty table needs none.
alter table job_queue add column collection_node_id uuid not null default nullif(current_setting('jobs.adopt_collection'), '')::uuid;
alter table job_queue alter column collection_node_id drop default;
