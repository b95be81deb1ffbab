-- Synthetic profiles of parties: where their programme stands on each statement (job type valgomat_generate_profile). Jobs make drafts; what is published is a person's decision.
-- Live systems: only a new table and a function; a short lock on nodes while the foreign keys are made.

create table valgomat_profiles (
  collection_node_id uuid not null references nodes (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  programme_node_id uuid not null references nodes (id) on delete cascade,
  party text not null,
  -- A person's decision makes published, rejected and withdrawn of a draft; replaced is one that was published until the next one was.
  state text not null default 'draft' check (state in ('draft', 'published', 'rejected', 'withdrawn', 'replaced')),
  -- No party has answered: the profile was made of its programme by a machine, and must be shown as that.
  synthetic boolean not null default true check (synthetic),
  -- As the handler's README has it. Text of strangers and of a model: escape it where it is shown. Somebody may edit a draft.
  content jsonb not null,
  -- The content as the newest job left it: where it differs, somebody has edited it, and no job replaces it.
  written_md5 text not null,
  -- What a job made of the programme after that.
  suggestion jsonb,
  language text,
  -- The model's alias and the version of the prompt of the newest job.
  model text not null,
  prompt_version text not null,
  job_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  decided_by text,
  decided_at timestamptz,
  primary key (collection_node_id, id),
  check (state = 'draft' or decided_by is not null and decided_at is not null)
);

-- One draft and one that is published, of each programme in a collection.
create unique index valgomat_profiles_current on valgomat_profiles (collection_node_id, programme_node_id, state) where state in ('draft', 'published');
create index valgomat_profiles_programme on valgomat_profiles (programme_node_id);

-- A person publishes or rejects a draft, or withdraws what is published. `fingerprint` is md5(content::text) of what that person has seen: what was changed meanwhile is not published
-- unseen. Who it is comes from app.user_id, else from decided_by; nobody decides without a name. Answers `published`, `rejected`, `withdrawn`, or why not: PROFILE_NOT_FOUND,
-- PROFILE_FORBIDDEN, PROFILE_CHANGED, PROFILE_DECIDED, PROFILE_DECIDER_MISSING.
create function decide_valgomat_profile(
  profile_id uuid, decision text, fingerprint text, decided_by text default null, collections uuid[] default null
) returns text
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
  person constant text := job_actor(decide_valgomat_profile.decided_by);
  becomes constant text := case decision when 'publish' then 'published' when 'reject' then 'rejected' when 'withdraw' then 'withdrawn' end;
  found_profile valgomat_profiles;
begin
  if becomes is null then
    raise exception 'a decision is publish, reject or withdraw, not %', coalesce(quote_literal(decision), 'null') using errcode = 'invalid_parameter_value';
  end if;
  select * into found_profile from valgomat_profiles p
  where p.id = decide_valgomat_profile.profile_id
    and (decide_valgomat_profile.collections is null or p.collection_node_id = any (decide_valgomat_profile.collections))
    and (may_see is null or p.collection_node_id = any (may_see))
  for update;
  if found_profile.id is null then return 'PROFILE_NOT_FOUND'; end if;
  if may_act is not null and not found_profile.collection_node_id = any (may_act) then return 'PROFILE_FORBIDDEN'; end if;
  if person is null then return 'PROFILE_DECIDER_MISSING'; end if;
  if found_profile.state <> (case becomes when 'withdrawn' then 'published' else 'draft' end) then return 'PROFILE_DECIDED'; end if;
  if md5(found_profile.content::text) is distinct from decide_valgomat_profile.fingerprint then return 'PROFILE_CHANGED'; end if;

  if becomes = 'published' then
    update valgomat_profiles p set state = 'replaced', decided_by = person, decided_at = clock_timestamp(), updated_at = clock_timestamp()
    where p.collection_node_id = found_profile.collection_node_id and p.programme_node_id = found_profile.programme_node_id and p.state = 'published';
  end if;
  update valgomat_profiles p set state = becomes, decided_by = person, decided_at = clock_timestamp(), updated_at = clock_timestamp()
  where p.collection_node_id = found_profile.collection_node_id and p.id = found_profile.id;
  return becomes;
end
$$;
