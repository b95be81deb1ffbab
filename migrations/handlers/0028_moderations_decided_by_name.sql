-- A person who decides about a question (job type valgomat_moderation) has a name that is not blank, as with profiles.
-- Live systems: a function is replaced.

-- As 0018_valgomat_moderations.sql made it, but: blanks are no name.
create or replace function decide_valgomat_question(
  collection uuid, question uuid, decision text, seen timestamptz, wording text default null, decided_by text default null
) returns text
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
  person constant text := substring(job_actor($6) from '^\s*(\S.*?)\s*$');
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
