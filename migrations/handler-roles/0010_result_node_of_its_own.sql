-- What 0007_result_node.sql gave the function that was replaced, and the kinds of edges, which it reads now.
-- Live systems: edges are locked for an instant.

do $$
begin
  grant select (kind) on edges to queue_owner;
exception when insufficient_privilege or undefined_column then
  null;
end
$$;

alter function result_node(uuid, uuid, text) security definer;
