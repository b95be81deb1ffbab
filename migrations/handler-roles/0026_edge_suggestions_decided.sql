-- Users decide about suggested edges of the collections in which they may act; queue_web itself may write no edge.
-- Live systems: edges is locked for an instant.

-- Where whoever migrates may not give that right, nobody in queue_web decides until somebody does.
do $$
begin
  grant select (id, metadata), update (status, metadata) on edges to queue_owner;
exception when insufficient_privilege or undefined_column then
  null;
end
$$;

alter function decide_edge_suggestion(uuid, uuid, text, text) owner to queue_owner;
alter function decide_edge_suggestion(uuid, uuid, text, text) security definer;
alter function enqueue_suggest_edges_jobs(uuid[], uuid[]) owner to queue_owner;
revoke all on function decide_edge_suggestion(uuid, uuid, text, text), enqueue_suggest_edges_jobs(uuid[], uuid[]) from public;
grant execute on function decide_edge_suggestion(uuid, uuid, text, text) to queue_web;
