-- What is published of a synthetic profile has its label and no suggestion, and a person who decides has a name. A suggestion that somebody has taken over counts as written by a job, in minutes
-- and profiles (job types valgomat_generate_profile and meeting_summarize).
-- Live systems: each of the tables is locked for an instant, valgomat_profiles while it is read once; a function is replaced.

-- Of the suggestion: where the content is that, no person wrote it, and the next job replaces it. Here, and not looked up in it, because who takes a suggestion over may clear it.
alter table meeting_minutes add column suggested_md5 text;
alter table valgomat_profiles add column suggested_md5 text;

update valgomat_profiles set suggestion = null where state = 'published' and suggestion is not null;
-- Voters read what is published; nobody has accepted a suggestion.
alter table valgomat_profiles add constraint valgomat_profiles_published_as_seen check (state <> 'published' or suggestion is null);

-- As 0013_valgomat_profiles.sql made it, but: blanks are no name, what is published has a label, and loses its suggestion. Answers also PROFILE_LABEL_MISSING.
create or replace function decide_valgomat_profile(
  profile_id uuid, decision text, fingerprint text, decided_by text default null, collections uuid[] default null
) returns text
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  may_see constant uuid[] := job_action_scope(false);
  may_act constant uuid[] := job_action_scope(true);
  person constant text := substring(job_actor(decide_valgomat_profile.decided_by) from '^\s*(\S.*?)\s*$');
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
    if (jsonb_typeof(found_profile.content -> 'label') = 'string' and found_profile.content ->> 'label' ~ '\S') is not true then
      return 'PROFILE_LABEL_MISSING';
    end if;
    update valgomat_profiles p set state = 'replaced', decided_by = person, decided_at = clock_timestamp(), updated_at = clock_timestamp()
    where p.collection_node_id = found_profile.collection_node_id and p.programme_node_id = found_profile.programme_node_id and p.state = 'published';
  end if;
  update valgomat_profiles p set
    state = becomes, decided_by = person, decided_at = clock_timestamp(), updated_at = clock_timestamp(),
    suggestion = case when becomes = 'published' then null else p.suggestion end,
    suggested_md5 = case when becomes = 'published' then null else p.suggested_md5 end
  where p.collection_node_id = found_profile.collection_node_id and p.id = found_profile.id;
  return becomes;
end
$$;
