update job_queue set collection_node_id = current_setting('jobs.adopt_collection')::uuid where collection_node_id is null;
