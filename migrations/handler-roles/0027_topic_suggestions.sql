-- Tenants of suggested topics; whoever sees a collection sees what is suggested there. Workers write suggestions only: a person decides.
-- Live systems: the table, nodes and edges are locked for an instant.

select secure_handler_table('topic_suggestions');

create policy worker_inserts_suggestions on topic_suggestions as restrictive for insert to queue_worker with check (state = 'suggested');
create policy worker_updates_suggestions on topic_suggestions as restrictive for update to queue_worker using (true) with check (state = 'suggested');

-- Where whoever migrates may not give these rights, nobody in queue_web accepts a topic until somebody does.
do $$
begin
  grant select (kind), insert (kind, title, content) on nodes to queue_owner;
  grant insert (source_id, target_id, kind, status, metadata) on edges to queue_owner;
exception when insufficient_privilege or undefined_column then
  null;
end
$$;

alter function decide_topic_suggestion(uuid, text, text, text) owner to queue_owner;
alter function decide_topic_suggestion(uuid, text, text, text) security definer;
revoke all on function decide_topic_suggestion(uuid, text, text, text) from public;
grant execute on function decide_topic_suggestion(uuid, text, text, text) to queue_web;
