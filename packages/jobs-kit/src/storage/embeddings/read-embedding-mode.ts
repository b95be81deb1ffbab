import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** How the database searches vectors. */
export interface EmbeddingMode {
  /** `pgvector`: by an index where it has one for so many numbers. `array`: each text of the collection is compared. */
  mode: 'pgvector' | 'array'
  /** Of pgvector. */
  version: string | null
  /** Whether pgvector could be installed on the server. */
  available: boolean
  /** Lengths of vectors that have an index. */
  indexed: number[]
}

/** Tells how vectors are searched here. */
export async function readEmbeddingMode(db: StorageDatabase): Promise<EmbeddingMode> {
  const { rows } = await sql<EmbeddingMode>`select mode, version, available, indexed from embedding_search_mode()`.execute(withTables(db))
  return rows[0] as EmbeddingMode
}
