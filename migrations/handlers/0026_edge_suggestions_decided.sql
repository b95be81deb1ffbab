-- Suggested edges (job type suggest_edges) are decided by a function, so that a user decides about none of another collection, and who decided is known. Edges that are only suggested tie no node to a collection: else
-- a text could bring itself into another collection by what it has a model say. A clip of a page that could not be read (url_ingest) holds what stands in its place, a request for consent or the beginning before a paywall: no model is asked about that. A statement that changes many nodes enqueues their jobs in one go.
-- Live systems: functions are replaced, and one is new.

-- A person accepts or rejects a suggested edge between two nodes of the collection. Answers `accepted`, `rejected`, or why not: SUGGESTION_NOT_FOUND (also for one that was decided already),
-- SUGGESTION_FORBIDDEN. Who it was stands in metadata.suggestion (decidedBy, decidedAt), where somebody says so: app.user_id, else decided_by.
create function decide_edge_suggestion(collection uuid, edge uuid, decision text, decided_by text default null) returns text
language plpgsql
set search_path from current
as $$
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
begin
  if $3 is null or $3 not in ('accepted', 'rejected') then
    raise exception 'a decision is accepted or rejected, not %', coalesce(quote_literal($3), 'null') using errcode = 'invalid_parameter_value';
  end if;
  -- Nothing of what others have is told, nor whether it is there.
  if may_see is not null and not $1 = any (may_see) then return 'SUGGESTION_NOT_FOUND'; end if;
  if may_act is not null and not $1 = any (may_act) then return 'SUGGESTION_FORBIDDEN'; end if;
  update edges e
  set status = $3, metadata = e.metadata || jsonb_build_object('suggestion', coalesce(e.metadata -> 'suggestion', '{}')
    || jsonb_strip_nulls(jsonb_build_object('decidedBy', substring(job_actor($4) from '^\s*(\S.*?)\s*$'), 'decidedAt', clock_timestamp())))
  where e.id = $2 and e.status::text = 'suggested' and node_tied_to_collection(e.source_id, $1) and node_tied_to_collection(e.target_id, $1);
  return case when found then $3 else 'SUGGESTION_NOT_FOUND' end;
end
$$;

-- As 0017_suggest_edges.sql made them, but for what the head of this file says. Planned each time: a plan that was made for one row, and is kept by the session, compares each with each where ten thousand come.
create or replace function enqueue_suggest_edges() returns trigger
language plpgsql security definer
set search_path from current
as $$
declare
  collections uuid[];
  nodes uuid[];
begin
  execute $q$
    select array_agg(w.collection), array_agg(w.node)
    from (
      select distinct c.id as collection, n.id as node
      from (
        select source_id as collection_id, target_id as node_id from added
        where kind::text not in ('has_summary', 'has_note') and coalesce(status::text, '') not in ('suggested', 'rejected')
        union all
        select target_id, source_id from added where coalesce(status::text, '') not in ('suggested', 'rejected')
      ) tied
      join nodes c on c.id = tied.collection_id and c.kind::text = 'collection'
      join nodes n on n.id = tied.node_id
      where n.metadata #>> '{clip,obstacle}' is null and suggest_edges_wanted(c.metadata, n.kind::text, n.content::text)
    ) w $q$ into collections, nodes;
  perform enqueue_suggest_edges_jobs(collections, nodes) where collections is not null;
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
declare
  written uuid[];
  collections uuid[];
  nodes uuid[];
begin
  -- Most updates are of something else.
  execute 'select array_agg(n.id) from changed n join before b on b.id = n.id where b.content is distinct from n.content' into written;
  if written is null then return null; end if;
  execute $q$
    select array_agg(w.collection), array_agg(w.node)
    from (
      select c.id as collection, n.id as node
      from (
        select e.source_id as collection_id, e.target_id as node_id from unnest($1) t (id) join edges e on e.target_id = t.id
        where e.kind::text not in ('has_summary', 'has_note') and coalesce(e.status::text, '') not in ('suggested', 'rejected')
        union
        select e.target_id, e.source_id from unnest($1) t (id) join edges e on e.source_id = t.id where coalesce(e.status::text, '') not in ('suggested', 'rejected')
      ) tied
      join nodes c on c.id = tied.collection_id and c.kind::text = 'collection' and c.id <> tied.node_id
      join nodes n on n.id = tied.node_id
      where n.metadata #>> '{clip,obstacle}' is null and suggest_edges_wanted(c.metadata, n.kind::text, n.content::text)
    ) w $q$ into collections, nodes using written;
  perform enqueue_suggest_edges_jobs(collections, nodes) where collections is not null;
  return null;
exception when others then
  raise warning 'suggest_edges was not enqueued: %', sqlerrm;
  return null;
end
$$;

-- The jobs of these nodes, side by side with their collections; one that waits already waits anew.
create function enqueue_suggest_edges_jobs(collections uuid[], nodes uuid[]) returns void
language plpgsql
set search_path from current
as $$
begin
  perform from enqueue_jobs(
    $1, array_fill('suggest_edges'::text, array[cardinality($1)]),
    array(select jsonb_build_object('nodeId', n) from unnest($2) with ordinality u (n, position) order by position),
    priorities => array_fill(1::smallint, array[cardinality($1)]),
    scheduled_fors => array_fill(now() + interval '2 minutes', array[cardinality($1)]),
    unique_keys => $2::text[], on_conflicts => array_fill('debounce'::text, array[cardinality($1)]));
end
$$;
