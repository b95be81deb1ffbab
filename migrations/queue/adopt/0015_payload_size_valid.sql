alter table job_queue validate constraint job_queue_payload_size;
