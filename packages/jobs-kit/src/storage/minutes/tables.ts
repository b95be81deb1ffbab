import type { JsonValue } from '@sidelinja/jobs-core'
import type { ColumnType, Generated } from 'kysely'

interface MinutesTable {
  collection_node_id: string
  media_node_id: string
  content: ColumnType<JsonValue, string, string>
  written_md5: string
  suggestion: ColumnType<JsonValue | null, string | null, string | null>
  suggested_md5: string | null
  language: string | null
  model: string
  prompt_version: string
  job_id: string | null
  updated_at: Generated<Date>
}

/** The table of migrations/handlers/0012_meeting_minutes.sql and 0020_profiles_and_suggestions.sql. */
export interface MinutesTables {
  meeting_minutes: MinutesTable
}
