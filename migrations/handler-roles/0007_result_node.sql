-- Users of the admin page read a node through a function that looks up which collections they see: queue_web itself may read no node.
-- Live systems: nodes and edges are locked for an instant.

-- Where whoever migrates may not give that right, results that lie in a node are not shown until somebody does.
do $$
begin
  grant select (id, title, content, metadata) on nodes to queue_owner;
  grant select (source_id, target_id) on edges to queue_owner;
exception when insufficient_privilege or undefined_column then
  null;
end
$$;

alter function result_node(uuid, uuid, text) owner to queue_owner;
alter function result_node(uuid, uuid, text) security definer;
revoke all on function result_node(uuid, uuid, text) from public;
grant execute on function result_node(uuid, uuid, text) to queue_web;
