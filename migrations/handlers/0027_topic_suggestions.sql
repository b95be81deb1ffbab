-- Topics that a collection lacks (job type suggest_edges) wait for a person, who has the topic made with its edges, or says that it is not wanted.
-- Live systems: only a new table and functions; a short lock on nodes while the foreign keys are made.

create table topic_suggestions (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  -- The node that is about the topic.
  node_id uuid not null references nodes (id) on delete cascade,
  name text not null check (length(name) between 1 and 200 and name ~ '\S'),
  -- Two that differ in nothing else are one topic.
  name_key text not null generated always as (lower(btrim(name))) stored,
  description text not null default '',
  -- Words of the node that bear it out.
  evidence text not null,
  state text not null default 'suggested' check (state in ('suggested', 'accepted', 'rejected')),
  topic_node_id uuid references nodes (id) on delete set null,
  decided_by text,
  decided_at timestamptz,
  model text not null,
  job_id uuid,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, name_key, node_id),
  check ((state = 'suggested') = (decided_at is null))
);

create index topic_suggestions_node on topic_suggestions (node_id);
create index topic_suggestions_topic on topic_suggestions (topic_node_id);

-- A person accepts or rejects a topic, for all nodes of the collection that suggest it. Accepted: a topic of that name that the collection has is taken, else one is made and tied to the collection (contains); each of
-- those nodes gets an edge to it (about), with its evidence. Rejected: it is not suggested again. Outcome `accepted`, `rejected`, or why not: SUGGESTION_NOT_FOUND (also for one that was decided already),
-- SUGGESTION_FORBIDDEN. Who it was: app.user_id, else decided_by.
create function decide_topic_suggestion(collection uuid, name text, decision text, decided_by text default null)
returns table (outcome text, topic_node_id uuid)
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
  person constant text := substring(job_actor($4) from '^\s*(\S.*?)\s*$');
  wanted_key constant text := lower(btrim($2));
  waiting uuid[];
  first record;
  topic uuid;
begin
  if $3 is null or $3 not in ('accepted', 'rejected') then
    raise exception 'a decision is accepted or rejected, not %', coalesce(quote_literal($3), 'null') using errcode = 'invalid_parameter_value';
  end if;
  if may_see is not null and not $1 = any (may_see) then return query select 'SUGGESTION_NOT_FOUND'::text, null::uuid; return; end if;
  if may_act is not null and not $1 = any (may_act) then return query select 'SUGGESTION_FORBIDDEN'::text, null::uuid; return; end if;
  -- Of two people, and of a job that suggests the same just now, one comes first.
  perform pg_advisory_xact_lock(hashtextextended('topic ' || $1 || ' ' || wanted_key, 0));
  waiting := array(select t.node_id from topic_suggestions t
    where t.collection_node_id = $1 and t.name_key = wanted_key and t.state = 'suggested' order by t.node_id for update);
  if waiting = '{}' then return query select 'SUGGESTION_NOT_FOUND'::text, null::uuid; return; end if;

  if $3 = 'accepted' then
    select n.id into topic from nodes n
    where n.kind::text = 'topic' and lower(btrim(n.title::text)) = wanted_key and node_tied_to_collection(n.id, $1)
    order by n.id limit 1;
    if topic is null then
      select t.name, t.description into first from topic_suggestions t
      where t.collection_node_id = $1 and t.name_key = wanted_key and t.state = 'suggested' order by t.updated_at, t.node_id limit 1;
      insert into nodes (kind, title, content) values ('topic', first.name, nullif(first.description, '')) returning id into topic;
      insert into edges (source_id, target_id, kind) values ($1, topic, 'contains') on conflict do nothing;
    end if;
    -- Nodes that have left the collection meanwhile get none; what is there already stays.
    insert into edges (source_id, target_id, kind, status, metadata)
    select t.node_id, topic, 'about', 'accepted', jsonb_build_object('suggestion', jsonb_strip_nulls(jsonb_build_object(
      'evidence', t.evidence, 'model', t.model, 'jobId', t.job_id, 'decidedBy', person, 'decidedAt', clock_timestamp())))
    from topic_suggestions t
    where t.collection_node_id = $1 and t.name_key = wanted_key and t.node_id = any (waiting) and t.node_id <> topic and node_tied_to_collection(t.node_id, $1)
    order by t.node_id
    on conflict do nothing;
  end if;
  update topic_suggestions t
  set state = $3, topic_node_id = topic, decided_by = person, decided_at = clock_timestamp(), updated_at = clock_timestamp()
  where t.collection_node_id = $1 and t.name_key = wanted_key and t.state = 'suggested';
  return query select $3, topic;
end
$$;
