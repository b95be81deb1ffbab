-- Suggested edges between the nodes of a collection (job type suggest_edges), and what enqueues their jobs.
-- Live systems: new functions; where nodes and edges are those of 0001_host_tables.sql, each is locked for an instant to get its trigger.

-- A job for each content node that has enough text and has just been tied to a collection, or has got another text. It waits two minutes: whoever goes
-- on writing has it wait anew, and only one waits for a node. Not for what only those may read who may read what it was
-- made of (summaries, notes). Whatever goes wrong here, what was written stays written.
create function enqueue_suggest_edges() returns trigger
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
    where suggest_edges_wanted(c.metadata, n.kind::text, n.content::text)
  ) wanted, enqueue_job(wanted.collection, 'suggest_edges', jsonb_build_object('nodeId', wanted.node), priority => 1::smallint,
    scheduled_for => now() + interval '2 minutes', unique_key => wanted.node::text, on_conflict => 'debounce');
  return null;
exception when others then
  raise warning 'suggest_edges was not enqueued: %', sqlerrm;
  return null;
end
$$;

create function enqueue_suggest_edges_anew() returns trigger
language plpgsql security definer
set search_path from current
as $$
begin
  perform from (
    select distinct c.id as collection, n.id as node
    from changed n join before b on b.id = n.id and b.content is distinct from n.content
    join edges e on n.id in (e.source_id, e.target_id) and (n.id = e.source_id or e.kind::text not in ('has_summary', 'has_note'))
    join nodes c on c.id in (e.source_id, e.target_id) and c.id <> n.id and c.kind::text = 'collection'
    where suggest_edges_wanted(c.metadata, n.kind::text, n.content::text)
  ) wanted, enqueue_job(wanted.collection, 'suggest_edges', jsonb_build_object('nodeId', wanted.node), priority => 1::smallint,
    scheduled_for => now() + interval '2 minutes', unique_key => wanted.node::text, on_conflict => 'debounce');
  return null;
exception when others then
  raise warning 'suggest_edges was not enqueued: %', sqlerrm;
  return null;
end
$$;

-- By the collection's settings (suggestEdges). What is wrong there the job itself says.
create function suggest_edges_wanted(settings jsonb, kind text, content text) returns boolean
language sql immutable
begin atomic
  select $2 not in ('collection', 'topic') and $1 #>> '{jobs,suggestEdges,enabled}' is distinct from 'false'
    and length(btrim($3)) >= case when $1 #>> '{jobs,suggestEdges,minCharacters}' ~ '^\d{1,8}$' then ($1 #>> '{jobs,suggestEdges,minCharacters}')::integer else 200 end;
end;

-- Has nodes that are written enqueue suggest_edges: select suggest_edges_on(). For tables of a host's own; run by their owner.
create function suggest_edges_on() returns void
language plpgsql
set search_path from current
as $$
begin
  perform suggest_edges_off();
  create trigger suggest_edges after insert on edges referencing new table as added
    for each statement execute function enqueue_suggest_edges();
  create trigger suggest_edges after update on nodes referencing old table as before new table as changed
    for each statement execute function enqueue_suggest_edges_anew();
end
$$;

-- The way back. Jobs that wait already stay.
create function suggest_edges_off() returns void
language plpgsql
set search_path from current
as $$
begin
  drop trigger if exists suggest_edges on edges;
  drop trigger if exists suggest_edges on nodes;
end
$$;

do $$
begin
  -- Only where the tables are as 0001_host_tables.sql makes them: those of a host are not to get triggers that nobody asked for.
  if (select string_agg(a.attname, ' ' order by a.attrelid::regclass::text collate "C", a.attname collate "C")
      from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
      where a.attrelid in ('nodes'::regclass, 'edges'::regclass) and a.attnum > 0 and not a.attisdropped)
    = 'id kind metadata source_id status target_id content created_at id kind metadata title updated_at'
    and (select bool_and(pg_has_role(c.relowner, 'usage')) from pg_class c where c.oid in ('nodes'::regclass, 'edges'::regclass))
  then
    perform suggest_edges_on();
  end if;
end
$$;
