import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { PromptEval } from './prompt-eval.ts'
import type { PromptEvalsTables } from './tables.ts'

/** Stores some rows of an evaluation. */
export async function insertPromptEvals(
  trx: StorageDatabase,
  collectionNodeId: string,
  { jobId, rows }: { jobId: string; rows: readonly PromptEval[] },
): Promise<void> {
  if (rows.length === 0) return
  await withTables<PromptEvalsTables>(trx)
    .insertInto('prompt_evals')
    .values(
      rows.map((row) => ({
        ...{ collection_node_id: collectionNodeId, job_id: jobId, model: row.model, test: row.test, repeat: row.repeat },
        ...{ description: row.description, output: row.output, cut: row.cut, pass: row.pass, score: row.score },
        ...{ asserts: JSON.stringify(row.asserts), error_code: row.error?.code ?? null, error_message: row.error?.message ?? null },
        ...{ model_served: row.modelServed, prompt_tokens: row.promptTokens, completion_tokens: row.completionTokens },
        ...{ latency_ms: row.latencyMs, cost_usd: row.costUsd, prompt_hash: row.promptHash, temperature: row.temperature },
        ...{ seed: row.seed, judge_model: row.judgeModel },
      })),
    )
    .execute()
}
