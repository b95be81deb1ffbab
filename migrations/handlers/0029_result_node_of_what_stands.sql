-- A node that a job only suggests to tie to a collection is not shown as that collection's result.
-- Live systems: a function is replaced.

-- As 0014_result_node_of_its_own.sql made it, without edges that are suggested or were rejected.
create or replace function result_node(collection_node_id uuid, node_id uuid, metadata_key text)
returns table (title text, content text, detail jsonb)
language plpgsql stable
set search_path from current
as $$
#variable_conflict use_column
declare
  scope constant uuid[] := job_action_scope(false);
begin
  return query
    select n.title::text, left(n.content::text, 60000), n.metadata -> $3
    from nodes n
    where n.id = $2 and (scope is null or $1 = any (scope))
      and ($1 = $2
        or exists (select from edges e where e.source_id = $2 and e.target_id = $1 and coalesce(e.status::text, '') not in ('suggested', 'rejected'))
        or exists (select from edges e where e.source_id = $1 and e.target_id = $2 and coalesce(e.status::text, '') not in ('suggested', 'rejected')
          and e.kind::text not in ('has_summary', 'has_note')));
exception when insufficient_privilege then
  return;
end
$$;
