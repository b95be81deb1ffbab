-- A clip of a page that could not be read (job type url_ingest) holds what stands in its place: a request for consent, the beginning before a paywall. No model is asked what that is about.
-- Live systems: two functions are replaced.

-- As 0017_suggest_edges.sql made them, without such clips.
create or replace function enqueue_suggest_edges() returns trigger
language plpgsql security definer
set search_path from current
as $$
begin
  perform from (
    select c.id as collection, n.id as node
    from (select source_id as collection_id, target_id as node_id from added where kind::text not in ('has_summary', 'has_note')
          union select target_id, source_id from added) tied
    join nodes c on c.id = tied.collection_id and c.kind::text = 'collection'
    join nodes n on n.id = tied.node_id
    where n.metadata #>> '{clip,obstacle}' is null and suggest_edges_wanted(c.metadata, n.kind::text, n.content::text)
  ) wanted, enqueue_job(wanted.collection, 'suggest_edges', jsonb_build_object('nodeId', wanted.node), priority => 1::smallint,
    scheduled_for => now() + interval '2 minutes', unique_key => wanted.node::text, on_conflict => 'debounce');
  return null;
exception when others then
  raise warning 'suggest_edges was not enqueued: %', sqlerrm;
  return null;
end
$$;

create or replace function enqueue_suggest_edges_anew() returns trigger
language plpgsql security definer
set search_path from current
as $$
begin
  perform from (
    select distinct c.id as collection, n.id as node
    from changed n join before b on b.id = n.id and b.content is distinct from n.content
    join edges e on n.id in (e.source_id, e.target_id) and (n.id = e.source_id or e.kind::text not in ('has_summary', 'has_note'))
    join nodes c on c.id in (e.source_id, e.target_id) and c.id <> n.id and c.kind::text = 'collection'
    where n.metadata #>> '{clip,obstacle}' is null and suggest_edges_wanted(c.metadata, n.kind::text, n.content::text)
  ) wanted, enqueue_job(wanted.collection, 'suggest_edges', jsonb_build_object('nodeId', wanted.node), priority => 1::smallint,
    scheduled_for => now() + interval '2 minutes', unique_key => wanted.node::text, on_conflict => 'debounce');
  return null;
exception when others then
  raise warning 'suggest_edges was not enqueued: %', sqlerrm;
  return null;
end
$$;
