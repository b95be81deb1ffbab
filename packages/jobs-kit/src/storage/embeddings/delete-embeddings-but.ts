import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** Deletes a node's vectors of other models, and those of texts that are not in the list. */
export async function deleteEmbeddingsBut(
  trx: StorageDatabase,
  collectionNodeId: string,
  { nodeId, model, hashes }: { readonly nodeId: string; readonly model: string; readonly hashes: readonly string[] },
): Promise<void> {
  await sql`
    delete from node_embeddings
    where collection_node_id = ${collectionNodeId}::uuid and node_id = ${nodeId}::uuid
      and (model <> ${model} or text_hash <> all (${[...hashes]}::text[]))`.execute(withTables(trx))
}
