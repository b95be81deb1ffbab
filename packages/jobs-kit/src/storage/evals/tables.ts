import type { JsonValue } from '@sidelinja/jobs-core'
import type { ColumnType, Generated } from 'kysely'

interface PromptEvalsTable {
  collection_node_id: string
  job_id: string
  model: string
  test: number
  repeat: number
  description: string | null
  output: string
  cut: boolean
  pass: boolean | null
  score: number | null
  asserts: ColumnType<JsonValue, string, string>
  error_code: string | null
  error_message: string | null
  model_served: string | null
  prompt_tokens: number | null
  completion_tokens: number | null
  latency_ms: number
  cost_usd: ColumnType<number | null, number | null, number | null>
  prompt_hash: string
  temperature: number
  seed: ColumnType<string | null, number | null, number | null>
  judge_model: string | null
  created_at: Generated<Date>
}

/** The table of migrations/handlers/0016_prompt_evals.sql. */
export interface PromptEvalsTables {
  prompt_evals: PromptEvalsTable
}
