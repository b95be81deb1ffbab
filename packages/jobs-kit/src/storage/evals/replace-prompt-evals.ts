import type { StorageDatabase } from '../storage-database.ts'
import { deletePromptEvals } from './delete-prompt-evals.ts'
import { insertPromptEvals } from './insert-prompt-evals.ts'
import type { PromptEval } from './prompt-eval.ts'

/** Of outputs that may be long. */
const batchRows = 100

/** Stores all that an evaluation came to, in place of what the job stored before. */
export async function replacePromptEvals(
  trx: StorageDatabase,
  collectionNodeId: string,
  { jobId, rows }: { jobId: string; rows: readonly PromptEval[] },
): Promise<void> {
  await deletePromptEvals(trx, collectionNodeId, jobId)
  for (let start = 0; start < rows.length; start += batchRows) {
    await insertPromptEvals(trx, collectionNodeId, { jobId, rows: rows.slice(start, start + batchRows) })
  }
}
