-- Tenants of profiles. Whoever sees a collection reads what is published, drafts are for those who may act there. Workers write drafts only: a person decides.
-- Live systems: the table is locked for an instant.

select secure_handler_table('valgomat_profiles', false);

create policy worker_inserts_drafts on valgomat_profiles as restrictive for insert to queue_worker with check (state = 'draft');
create policy worker_updates_drafts on valgomat_profiles as restrictive for update to queue_worker using (state = 'draft') with check (state = 'draft');
create policy worker_deletes_drafts on valgomat_profiles as restrictive for delete to queue_worker using (state = 'draft');
create policy web on valgomat_profiles for select to queue_web using (
  collection_node_id = any (array(select job_user_collections(true)))
  or state = 'published' and collection_node_id = any (array(select job_user_collections(false))));
grant select on valgomat_profiles to queue_web;

alter function decide_valgomat_profile(uuid, text, text, text, uuid[]) owner to queue_owner;
alter function decide_valgomat_profile(uuid, text, text, text, uuid[]) security definer;
revoke all on function decide_valgomat_profile(uuid, text, text, text, uuid[]) from public;
grant execute on function decide_valgomat_profile(uuid, text, text, text, uuid[]) to queue_web;
