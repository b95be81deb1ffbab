alter table job_queue rename column workspace_id to collection_node_id;
