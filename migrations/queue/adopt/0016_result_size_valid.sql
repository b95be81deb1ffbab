alter table job_queue validate constraint job_queue_result_size;
