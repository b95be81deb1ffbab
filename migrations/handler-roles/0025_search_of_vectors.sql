-- Whoever searches a collection need not be able to read edges to be kept from nodes that have left it.
-- Live systems: edges is locked for an instant.

-- Where whoever migrates may not give that right, nodes that have left a collection are found there until somebody does, or their vectors are deleted.
do $$
begin
  grant select (source_id, target_id, kind, status) on edges to queue_owner;
exception when insufficient_privilege or undefined_column then
  null;
end
$$;

alter function node_tied_to_collection(uuid, uuid) owner to queue_owner;
alter function node_tied_to_collection(uuid, uuid) security definer;
revoke all on function node_tied_to_collection(uuid, uuid) from public;
grant execute on function node_tied_to_collection(uuid, uuid) to queue_worker, queue_web;
