import type { JsonValue } from '@sidelinja/jobs-core'
import type { ColumnType, Generated } from 'kysely'

/** What a person has decided about a profile; `replaced` was published until the next one was. */
export type ProfileState = 'draft' | 'published' | 'rejected' | 'withdrawn' | 'replaced'

interface ProfilesTable {
  collection_node_id: string
  id: Generated<string>
  programme_node_id: string
  party: string
  state: Generated<ProfileState>
  synthetic: Generated<boolean>
  content: ColumnType<JsonValue, string, string>
  written_md5: string
  suggestion: ColumnType<JsonValue | null, string | null, string | null>
  suggested_md5: string | null
  language: string | null
  model: string
  prompt_version: string
  job_id: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  decided_by: string | null
  decided_at: Date | null
}

/** The table of migrations/handlers/0013_valgomat_profiles.sql and 0020_profiles_and_suggestions.sql. */
export interface ProfilesTables {
  valgomat_profiles: ProfilesTable
}
