-- Tenants of moderations: for those who may act in the collection. Workers write suggestions only: a person decides.
-- Live systems: the table is locked for an instant.

select secure_handler_table('valgomat_moderations', false);

create policy worker_inserts_suggestions on valgomat_moderations as restrictive for insert to queue_worker with check (state = 'suggested');
create policy worker_updates_suggestions on valgomat_moderations as restrictive for update to queue_worker using (true) with check (state = 'suggested');
create policy web on valgomat_moderations for select to queue_web using (collection_node_id = any (array(select job_user_collections(true))));
grant select on valgomat_moderations to queue_web;

alter function decide_valgomat_question(uuid, uuid, text, timestamptz, text, text) owner to queue_owner;
alter function decide_valgomat_question(uuid, uuid, text, timestamptz, text, text) security definer;
revoke all on function decide_valgomat_question(uuid, uuid, text, timestamptz, text, text) from public;
grant execute on function decide_valgomat_question(uuid, uuid, text, timestamptz, text, text) to queue_web;
