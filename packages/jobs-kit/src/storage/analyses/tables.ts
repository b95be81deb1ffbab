import type { JsonValue } from '@sidelinja/jobs-core'
import type { ColumnType, Generated } from 'kysely'

interface AnalysesTable {
  collection_node_id: string
  media_node_id: string
  content: ColumnType<JsonValue, string, string>
  language: string | null
  model: string
  prompt_version: string
  job_id: string | null
  updated_at: Generated<Date>
}

/** The table of migrations/handlers/0009_media_analyses.sql. */
export interface AnalysisTables {
  media_analyses: AnalysesTable
}
