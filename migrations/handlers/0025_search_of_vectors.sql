-- A search among vectors (job type generate_embeddings) says what is wrong with the vector it is given, gives the cosine whatever the length of that vector, and finds no texts of nodes that
-- have left the collection.
-- Live systems: a function is replaced, and one is new.

-- Whether a node is its own collection, or an edge ties it to that one as something that everybody in it may read. An edge that a job has only suggested, or that somebody did not want, ties nothing. Where whoever runs this
-- may not read edges nothing can be told: then it is.
create function node_tied_to_collection(node_id uuid, collection_node_id uuid) returns boolean
language plpgsql stable
set search_path from current
as $$
begin
  return $1 = $2
    or exists (select from edges e where e.source_id = $1 and e.target_id = $2 and coalesce(e.status::text, '') not in ('suggested', 'rejected'))
    or exists (select from edges e where e.source_id = $2 and e.target_id = $1 and coalesce(e.status::text, '') not in ('suggested', 'rejected')
      and e.kind::text not in ('has_summary', 'has_note'));
exception when insufficient_privilege then
  return true;
end
$$;

-- As 0015_node_embeddings.sql made it, but for what the head of this file says. Vectors of another length than the query's are not searched: they are of another model. The vectors of nodes that have left a
-- collection stay until the node goes: they are left out of what was found, so a search where very many have left may give fewer than it was asked for.
create or replace function nearest_embeddings(
  collection_node_id uuid, query real[], model text, most integer default 10, least_similarity double precision default -1, except_node uuid default null
) returns table (node_id uuid, seq integer, text text, start_ms integer, end_ms integer, similarity double precision)
language plpgsql stable
set search_path from current
as $$
#variable_conflict use_column
declare
  ext constant text := embedding_vector_schema();
  sized constant integer := cardinality($2);
  kind constant text := embedding_index_type(sized);
  wanted constant integer := least(greatest(coalesce($4, 10), 0), 200);
  -- Some of what is nearest may be left out.
  read constant integer := wanted * 2 + 20;
  long double precision;
  unit real[];
begin
  if not coalesce(sized between 1 and 4096, false) then
    raise exception 'a vector to search by has 1 to 4096 numbers, got %', coalesce(sized::text, 'null') using errcode = 'invalid_parameter_value';
  end if;
  -- A sum of squares knows of null by the count, and of NaN and infinity by itself.
  select case when count(v) = sized then sqrt(sum(v::double precision ^ 2)) end into long from unnest($2) v;
  if long is null or long in ('NaN', 'Infinity', 0) then
    raise exception 'a vector to search by has numbers only, not all zero' using errcode = 'invalid_parameter_value';
  end if;
  unit := array(select (v / long)::real from unnest($2) with ordinality u (v, position) order by position);

  if ext is null or kind is null then
    return query
      select h.node_id, h.seq, h.text, h.start_ms, h.end_ms, h.similarity
      from (
        select e.node_id, e.seq, e.text, e.start_ms, e.end_ms, s.similarity
        from node_embeddings e
        cross join lateral (
          select sum(a.own * a.other)::double precision as similarity from unnest(e.embedding, unit) a (own, other)
        ) s
        where e.collection_node_id = $1 and e.model = $3 and e.dimensions = sized and e.node_id is distinct from $6 and s.similarity >= $5
        order by s.similarity desc, e.node_id, e.seq
        limit read
      ) h
      where node_tied_to_collection(h.node_id, $1)
      order by h.similarity desc, h.node_id, h.seq
      limit wanted;
    return;
  end if;
  -- Else a collection among many would get fewer than it has: an index knows no collections, and is read on until there are enough. Before pgvector 0.8 there is no such setting.
  if (select string_to_array(substring(x.extversion from '^\d+\.\d+'), '.')::integer[] >= '{0,8}' from pg_extension x where x.extname = 'vector') then
    perform set_config('hnsw.iterative_scan', 'strict_order', true);
  end if;
  perform set_config('hnsw.ef_search', greatest(200, read)::text, true);
  return query execute format(
    'select h.node_id, h.seq, h.text, h.start_ms, h.end_ms, 1 - h.distance from (
       select e.node_id, e.seq, e.text, e.start_ms, e.end_ms, e.embedding::%1$s.%2$s(%3$s) operator(%1$s.<=>) $2::%1$s.%2$s(%3$s) as distance
       from node_embeddings e
       where e.collection_node_id = $1 and e.model = $3 and e.dimensions = %3$s and e.node_id is distinct from $6
       order by distance limit $4
     ) h where h.distance <= 1 - $5 and node_tied_to_collection(h.node_id, $1) order by h.distance, h.node_id, h.seq limit $7', ext, kind, sized)
    using $1, unit, $3, read, $5, $6, wanted;
end
$$;
