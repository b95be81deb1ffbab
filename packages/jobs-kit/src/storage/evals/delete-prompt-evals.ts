import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { PromptEvalsTables } from './tables.ts'

/** Deletes what a job has stored of its evaluation. */
export async function deletePromptEvals(trx: StorageDatabase, collectionNodeId: string, jobId: string): Promise<void> {
  await withTables<PromptEvalsTables>(trx)
    .deleteFrom('prompt_evals')
    .where('collection_node_id', '=', collectionNodeId)
    .where('job_id', '=', jobId)
    .execute()
}
