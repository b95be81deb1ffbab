-- Who may do what with breakers: workers ask and tell by functions that run as queue_owner and change nothing by themselves; users see which services
-- are down, without what these said; members of queue_owner reset.
-- Live systems: service_breakers is locked for an instant.

select secure_queue_table('service_breakers');
grant select on service_breakers to queue_worker;

create policy web on service_breakers for select to queue_web using (nullif(current_setting('app.user_id', true), '') is not null);
grant select (service, openings, failures, opened_at, probes, probe_at, probe_expires_at, failed_at, error_code, http_status)
on service_breakers to queue_web;
grant select (services) on job_workers to queue_web;

alter function admit_service_call(text) owner to queue_owner;
alter function admit_service_call(text) security definer;
alter function record_service_call(text, integer, uuid, text, double precision, text, text, integer) owner to queue_owner;
alter function record_service_call(text, integer, uuid, text, double precision, text, text, integer) security definer;
alter function renew_service_probe(text, uuid) owner to queue_owner;
alter function renew_service_probe(text, uuid) security definer;
alter function service_wait_ms(service_breakers) owner to queue_owner;
alter function reset_service_breaker(text) owner to queue_owner;
revoke all on function admit_service_call(text), record_service_call(text, integer, uuid, text, double precision, text, text, integer),
  renew_service_probe(text, uuid), service_wait_ms(service_breakers), reset_service_breaker(text) from public;
grant execute on function admit_service_call(text), record_service_call(text, integer, uuid, text, double precision, text, text, integer),
  renew_service_probe(text, uuid) to queue_worker;
