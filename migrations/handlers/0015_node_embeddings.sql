-- Vectors of nodes' texts (job type generate_embeddings), and the search for the nearest.
-- Live systems: a new table and new functions; a short lock on nodes while the foreign keys are made.

create table node_embeddings (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  node_id uuid not null references nodes (id) on delete cascade,
  -- The gateway's alias of the model: vectors of two models cannot be compared.
  model text not null check (length(model) between 1 and 200),
  -- SHA-256 of the text and of how it is embedded: a text that has its vector is not paid for again.
  text_hash text not null check (text_hash ~ '^[0-9a-f]{64}$'),
  -- 0, 1, 2 … in the order of the node's texts. A text that comes again in the same node stands at its first place.
  seq integer not null check (seq >= 0),
  text text not null,
  -- Of what is spoken: where in the recording.
  start_ms integer check (start_ms >= 0),
  end_ms integer check (end_ms >= start_ms),
  dimensions smallint not null check (dimensions between 1 and 4096),
  -- Of length one, so that the product of two is their cosine.
  embedding real[] not null check (cardinality(embedding) = dimensions),
  job_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, node_id, model, text_hash)
);

-- Random digits: to pack them costs time and saves nothing.
alter table node_embeddings alter column embedding set storage external;

-- For a search within one collection, and for the delete of a node.
create index node_embeddings_collection on node_embeddings (collection_node_id, model, dimensions);
create index node_embeddings_node on node_embeddings (node_id);

-- The schema pgvector is installed in; null where it is not.
create function embedding_vector_schema() returns text
language sql stable
begin atomic
  select quote_ident(n.nspname) from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'vector';
end;

-- The type by which vectors of so many dimensions are indexed: pgvector indexes 2,000 as single numbers, 4,000 as halves; null: none.
create function embedding_index_type(dimensions integer) returns text
language sql immutable
begin atomic
  select case when $1 <= 2000 then 'vector' when $1 <= 4000 then 'halfvec' end;
end;

-- How vectors are searched. pgvector: through an index where it has one for so many dimensions, else by comparing with all of the collection, as array does.
create function embedding_search_mode()
returns table (mode text, version text, available boolean, indexed integer[])
language sql stable
set search_path from current
begin atomic
  select case when e.extversion is null then 'array' else 'pgvector' end, e.extversion,
    exists (select from pg_catalog.pg_available_extensions a where a.name = 'vector'),
    array(
      select substring(c.relname from '\d+$')::integer
      from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'node_embeddings'::regclass and i.indisvalid and c.relname ~ '^node_embeddings_hnsw_\d+$'
      order by 1)
  from (select) one left join pg_catalog.pg_extension e on e.extname = 'vector';
end;

-- What makes the indexes that are missing, without keeping anybody waiting: select statement from embedding_index_statements() \gexec
-- For the usual numbers of dimensions, and for those of the vectors that are there. None where pgvector is not installed.
create function embedding_index_statements() returns table (statement text)
language plpgsql stable
set search_path from current
as $$
declare
  ext constant text := embedding_vector_schema();
  sized integer;
  index_name text;
  valid boolean;
begin
  if ext is null then return; end if;
  for sized in
    select d from (select unnest(array[384, 512, 768, 1024, 1536, 3072]) union select distinct e.dimensions::integer from node_embeddings e) s (d)
    where embedding_index_type(d) is not null order by d
  loop
    index_name := 'node_embeddings_hnsw_' || sized;
    valid := (select i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'node_embeddings'::regclass and c.relname = index_name);
    continue when valid;
    -- What is left of one that was interrupted.
    if valid is not null then
      statement := format('drop index concurrently %I.%I', current_schema(), index_name);
      return next;
    end if;
    statement := format('create index concurrently %1$I on %2$I.node_embeddings using hnsw ((embedding::%3$s.%4$s(%5$s)) %3$s.%4$s_cosine_ops) where dimensions = %5$s',
      index_name, current_schema(), ext, embedding_index_type(sized), sized);
    return next;
  end loop;
end
$$;

-- The texts of a collection that are nearest to a vector, the nearest first. Similarity is the cosine: 1 says the same.
create function nearest_embeddings(
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
begin
  if ext is null or kind is null then
    return query
      select e.node_id, e.seq, e.text, e.start_ms, e.end_ms, s.similarity
      from node_embeddings e
      cross join lateral (
        select sum(a.own * a.other)::double precision as similarity from unnest(e.embedding, $2) a (own, other)
      ) s
      where e.collection_node_id = $1 and e.model = $3 and e.dimensions = sized and e.node_id is distinct from $6 and s.similarity >= $5
      order by s.similarity desc, e.node_id, e.seq
      limit least(greatest($4, 0), 200);
    return;
  end if;
  -- Else a collection among many would get fewer than it has: an index knows no collections, and is read on until there are enough. Before
  -- pgvector 0.8 this does nothing.
  perform set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', '200', true);
  return query execute format(
    'select h.node_id, h.seq, h.text, h.start_ms, h.end_ms, 1 - h.distance from (
       select e.node_id, e.seq, e.text, e.start_ms, e.end_ms, e.embedding::%1$s.%2$s(%3$s) operator(%1$s.<=>) $2::%1$s.%2$s(%3$s) as distance
       from node_embeddings e
       where e.collection_node_id = $1 and e.model = $3 and e.dimensions = %3$s and e.node_id is distinct from $6
       order by distance limit least(greatest($4, 0), 200)
     ) h where h.distance <= 1 - $5 order by h.distance, h.node_id, h.seq', ext, kind, sized)
    using $1, $2, $3, $4, $5, $6;
end
$$;

-- The table is new: nobody waits for these.
do $$
declare
  made record;
begin
  for made in select statement from embedding_index_statements() loop
    execute replace(made.statement, 'create index concurrently', 'create index');
  end loop;
end
$$;
