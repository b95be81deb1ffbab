import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** One call of the AI gateway, as it is kept. */
export interface AiCall {
  readonly collectionNodeId: string
  readonly jobId: string
  readonly jobType: string
  readonly run: number
  /** Which of the job's questions it was, at most 200 characters. */
  readonly question: string
  readonly promptVersion: string
  /** The alias that was asked for. */
  readonly modelAlias: string
  /** The model that answered; null when none did. */
  readonly modelServed: string | null
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  /** Of the completion tokens those that were only thought. */
  readonly reasoningTokens: number | null
  /** US dollars; null when the gateway does not say. */
  readonly costUsd: number | null
  /** The gateway's own name for the call. */
  readonly callId: string | null
  readonly latencyMs: number
  /** Null: an answer that could be used. */
  readonly errorCode: string | null
}

/**
 * Keeps a call at once, outside of any job's transaction: it was made and paid for whatever becomes of the job. The statement names its tenant
 * itself, where roles would refuse the row otherwise.
 */
export async function insertAiCall(db: StorageDatabase, call: AiCall): Promise<void> {
  await sql`
    with tenant as materialized (select set_config('jobs.collection', ${call.collectionNodeId}, true))
    insert into ai_calls (collection_node_id, job_id, job_type, run, question, prompt_version, model_alias, model_served, prompt_tokens,
      completion_tokens, reasoning_tokens, cost_usd, call_id, latency_ms, error_code)
    select ${call.collectionNodeId}::uuid, ${call.jobId}::uuid, ${call.jobType}, ${call.run}::int, ${call.question}, ${call.promptVersion},
      ${call.modelAlias}, ${call.modelServed}, ${call.promptTokens}::int, ${call.completionTokens}::int, ${call.reasoningTokens}::int,
      ${call.costUsd}::numeric, ${call.callId}, ${call.latencyMs}::int, ${call.errorCode}
    from tenant`.execute(withTables(db))
}
