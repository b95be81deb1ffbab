import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { PromptEval } from './prompt-eval.ts'
import type { PromptEvalsTables } from './tables.ts'

/** A stored row, with at most so much of its output. */
export type StoredPromptEval = Omit<PromptEval, 'error'> & { readonly errorCode: string | null; readonly errorMessage: string | null }

/**
 * What a job's evaluation came to, by test, model and time: at most `limit` rows (default 500, which is all of one job), of each output at most
 * `outputCharacters` (default all).
 */
export async function listPromptEvals(
  db: StorageDatabase,
  collectionNodeId: string,
  { jobId, limit = 500, outputCharacters }: { jobId: string; limit?: number; outputCharacters?: number },
): Promise<StoredPromptEval[]> {
  return await withTables<PromptEvalsTables>(db)
    .selectFrom('prompt_evals')
    .select([
      ...(['model', 'test', 'repeat', 'description', 'cut', 'pass', 'score', 'asserts', 'temperature'] as const),
      ...(['error_code as errorCode', 'error_message as errorMessage', 'model_served as modelServed'] as const),
      ...(['prompt_tokens as promptTokens', 'completion_tokens as completionTokens', 'latency_ms as latencyMs'] as const),
      ...(['prompt_hash as promptHash', 'judge_model as judgeModel'] as const),
      sql<number | null>`cost_usd::float8`.as('costUsd'),
      sql<number | null>`seed::float8`.as('seed'),
      (outputCharacters === undefined ? sql<string>`output` : sql<string>`left(output, ${outputCharacters}::int)`).as('output'),
    ])
    .where('collection_node_id', '=', collectionNodeId)
    .where('job_id', '=', jobId)
    .orderBy('test')
    .orderBy('model')
    .orderBy('repeat')
    .limit(limit)
    .execute()
}
