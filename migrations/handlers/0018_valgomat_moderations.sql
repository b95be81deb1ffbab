-- What moderation suggests about users' questions for a voting advice application (job type valgomat_moderation). Jobs suggest; what is taken is a person's decision.
-- Live systems: only a new table and a function; a short lock on nodes while the foreign keys are made.

create table valgomat_moderations (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  question_node_id uuid not null references nodes (id) on delete cascade,
  -- The question as it was moderated; the node itself is never changed.
  original text not null,
  -- The same in neutral words; null: it is neutral, or no wording was found that leaves the stance where it is.
  neutral_text text,
  changes text[] not null default '{}',
  flags text[] not null default '{}',
  verdict text not null check (verdict in ('ok', 'rewrite', 'reject')),
  -- The first of the questions that ask the same; itself where it is alone.
  cluster_node_id uuid not null,
  -- A statement that the collection has and that says the same, and how near it is.
  duplicate_of uuid references nodes (id) on delete set null,
  similarity real,
  -- Questions and statements that ask the same from the other side: nearest to it, and never one with it.
  opposites uuid[] not null default '{}',
  state text not null default 'suggested' check (state in ('suggested', 'accepted', 'rejected')),
  -- What a person has accepted.
  wording text,
  decided_by text,
  decided_at timestamptz,
  model text not null,
  prompt_version text not null,
  job_id uuid,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (collection_node_id, question_node_id),
  check (state = 'suggested' or decided_by is not null and decided_at is not null),
  check (state <> 'accepted' or wording is not null)
);

create index valgomat_moderations_question on valgomat_moderations (question_node_id);
create index valgomat_moderations_duplicate on valgomat_moderations (duplicate_of);

-- A person accepts a question, in the suggested wording or their own, or rejects it. What was suggested anew meanwhile is not accepted unseen: `seen` is the suggestion's
-- updated_at. Who it is comes from app.user_id, else from decided_by. Answers `accepted`, `rejected`, or why not: MODERATION_NOT_FOUND, MODERATION_FORBIDDEN,
-- MODERATION_CHANGED, MODERATION_DECIDED, MODERATION_DECIDER_MISSING.
create function decide_valgomat_question(
  collection uuid, question uuid, decision text, seen timestamptz, wording text default null, decided_by text default null
) returns text
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
  person constant text := job_actor($6);
  found_row valgomat_moderations;
begin
  if $3 is null or $3 not in ('accepted', 'rejected') then
    raise exception 'a decision is accepted or rejected, not %', coalesce(quote_literal($3), 'null') using errcode = 'invalid_parameter_value';
  end if;
  select * into found_row from valgomat_moderations m
  where m.collection_node_id = $1 and m.question_node_id = $2 and (may_see is null or m.collection_node_id = any (may_see))
  for update;
  if found_row.question_node_id is null then return 'MODERATION_NOT_FOUND'; end if;
  if may_act is not null and not $1 = any (may_act) then return 'MODERATION_FORBIDDEN'; end if;
  if person is null then return 'MODERATION_DECIDER_MISSING'; end if;
  if found_row.state <> 'suggested' then return 'MODERATION_DECIDED'; end if;
  if date_trunc('milliseconds', found_row.updated_at) is distinct from date_trunc('milliseconds', $4) then return 'MODERATION_CHANGED'; end if;
  update valgomat_moderations m
  set state = $3, decided_by = person, decided_at = clock_timestamp(), updated_at = clock_timestamp(),
      wording = case when $3 = 'accepted' then coalesce(nullif(btrim($5), ''), m.neutral_text, m.original) end
  where m.collection_node_id = $1 and m.question_node_id = $2;
  return $3;
end
$$;
