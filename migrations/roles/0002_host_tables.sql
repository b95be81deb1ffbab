-- What the worker may do with the tables of the host application.
--
-- It may read nodes and edges, and lock a node while it settles. Where nodes and edges belong to the role that owns the queue, it may
-- also write them, in a job's write(trx), and only what belongs to the job's collection. For every other role nothing changes: the policies
-- let it through. Tables of another owner, or with row-level security of their own, are left alone: their owner grants what handlers need.
--
-- Live systems: nodes and edges are locked for an instant.

-- Ends the statement: a policy that is merely false would say neither what was wrong nor what to do.
create function refuse_foreign_write(table_name text) returns boolean
language plpgsql
set search_path from current
as $$
begin
  if nullif(current_setting('jobs.collection', true), '') is null then
    raise exception 'a worker writes to % in write(trx) of a job only', table_name using errcode = 'JQ001';
  end if;
  raise exception 'a job of collection % wrote a row of % that belongs to another collection', current_setting('jobs.collection'), table_name
    using errcode = 'JQ001';
end
$$;
revoke all on function refuse_foreign_write(text) from public;
grant execute on function refuse_foreign_write(text) to queue_worker;

do $$
declare
  host text;
  writable constant jsonb := '{"nodes": ["title", "content", "metadata", "updated_at"], "edges": ["status", "metadata"]}';
  written text;
  collection constant text := $c$(select nullif(current_setting('jobs.collection', true), '')::uuid)$c$;
  allowed text;
begin
  grant select on nodes, edges to queue_worker;
  -- PostgreSQL asks for it of whoever locks a row.
  execute format('grant update (%I) on nodes to queue_worker',
    (select attname from pg_attribute where attrelid = 'nodes'::regclass and attname in ('id', 'updated_at') order by attname desc limit 1));
  grant select on node_access to queue_owner;
  grant select on nodes, edges, node_access to queue_backup;

  if (select count(*) from pg_class c
      where c.oid in ('nodes'::regclass, 'edges'::regclass) and c.relkind = 'r' and not c.relrowsecurity
        and c.relowner = (select relowner from pg_class where oid = 'job_queue'::regclass)
        and exists (select from pg_attribute where attrelid = 'nodes'::regclass and attname = 'created_at')) < 2
  then
    return;
  end if;

  -- What belongs to a collection: its own node, what an edge joins to it, and what this transaction has made. A host whose nodes
  -- are joined in another way replaces it (create or replace function).
  create function job_node_in_collection(node_id uuid, collection_node_id uuid) returns boolean
  language sql stable
  begin atomic
    select $1 = $2
      or exists (select from edges e where e.source_id = $1 and e.target_id = $2)
      or exists (select from edges e where e.source_id = $2 and e.target_id = $1)
      or exists (select from nodes n where n.id = $1 and n.created_at = transaction_timestamp());
  end;
  revoke all on function job_node_in_collection(uuid, uuid) from public;
  grant execute on function job_node_in_collection(uuid, uuid) to queue_worker;

  foreach host in array array['nodes', 'edges'] loop
    select string_agg(quote_ident(attname), ', ') into written from pg_attribute
    where attrelid = host::regclass and attnum > 0 and not attisdropped and writable -> host ? attname;
    execute format('grant insert, update (%s) on %I to queue_worker', written, host);
    execute format('alter table %I enable row level security', host);
    execute format('create policy everyone on %I using (true) with check (true)', host);

    allowed := case host
      when 'nodes' then format('job_node_in_collection(id, %s)', collection)
      else format('job_node_in_collection(source_id, %1$s) and job_node_in_collection(target_id, %1$s)', collection)
    end;
    execute format('create policy worker_update on %I as restrictive for update to queue_worker using (true)
      with check (case when %s then true else refuse_foreign_write(%L) end)', host, allowed, host);
    -- A new node belongs to nobody yet.
    if host = 'nodes' then allowed := format('%s is not null', collection); end if;
    execute format('create policy worker_insert on %I as restrictive for insert to queue_worker
      with check (case when %s then true else refuse_foreign_write(%L) end)', host, allowed, host);
  end loop;
end
$$;
