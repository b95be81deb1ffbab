-- A node that a job made or changed, for the admin page, which shows what came of a job (job types research_clip and ai_text_process).
-- Live systems: only a new function.

-- Title and content of a node of a collection, its own or one that an edge ties to it, and what stands under one key of its metadata. Of a content that is longer
-- than any that these jobs write only the beginning. No row for a node that is gone or belongs to others, for a collection that the user (app.user_id) does not
-- see, and where whoever runs this may not read nodes.
create function result_node(collection_node_id uuid, node_id uuid, metadata_key text)
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
        or exists (select from edges e where e.source_id = $2 and e.target_id = $1)
        or exists (select from edges e where e.source_id = $1 and e.target_id = $2));
exception when insufficient_privilege then
  return;
end
$$;
