-- The trigger that enqueues suggest_edges runs as queue_owner, whoever writes the node.
-- Live systems: nodes is locked for an instant.

-- Where whoever migrates may not give that right, nodes enqueue nothing, and a warning says so, until somebody does.
do $$
begin
  grant select (id, kind, content, metadata) on nodes to queue_owner;
  grant select (source_id, target_id) on edges to queue_owner;
exception when insufficient_privilege or undefined_column then
  null;
end
$$;

alter function enqueue_suggest_edges() owner to queue_owner;
alter function enqueue_suggest_edges_anew() owner to queue_owner;
alter function suggest_edges_wanted(jsonb, text, text) owner to queue_owner;
alter function suggest_edges_on() owner to queue_owner;
alter function suggest_edges_off() owner to queue_owner;
revoke all on function enqueue_suggest_edges(), enqueue_suggest_edges_anew(), suggest_edges_wanted(jsonb, text, text), suggest_edges_on(),
  suggest_edges_off() from public;
grant execute on function suggest_edges_on(), suggest_edges_off() to queue_migrator;
