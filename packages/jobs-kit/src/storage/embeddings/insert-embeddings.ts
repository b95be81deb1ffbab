import { sql } from 'kysely'
import { storable } from '../../subtitles/storable.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** A text and its vector. */
export interface EmbeddingRow {
  readonly hash: string
  readonly seq: number
  readonly text: string
  readonly startMs: number | null
  readonly endMs: number | null
  /** Of length one. */
  readonly vector: Float32Array
}

/** Which node and model they belong to. */
export interface EmbeddingRows {
  readonly nodeId: string
  readonly model: string
  readonly jobId: string | null
  readonly rows: readonly EmbeddingRow[]
}

/** Writes texts with their vectors, in place of those with the same hash; a thousand at most. */
export async function insertEmbeddings(
  trx: StorageDatabase,
  collectionNodeId: string,
  { nodeId, model, jobId, rows }: EmbeddingRows,
): Promise<void> {
  const given = rows.map(({ vector, text, ...row }) => ({
    ...row,
    text: storable(text),
    dimensions: vector.length,
    vector: `{${vector.join(',')}}`,
  }))
  await sql`
    insert into node_embeddings (collection_node_id, node_id, model, job_id, text_hash, seq, text, start_ms, end_ms, dimensions, embedding)
    select ${collectionNodeId}::uuid, ${nodeId}::uuid, ${model}, ${jobId}::uuid, hash, seq, text, "startMs", "endMs", dimensions, vector::real[]
    from json_to_recordset(${JSON.stringify(given)}::json)
      as rows (hash text, seq integer, text text, "startMs" integer, "endMs" integer, dimensions smallint, vector text)
    on conflict (collection_node_id, node_id, model, text_hash) do update
    set seq = excluded.seq, text = excluded.text, start_ms = excluded.start_ms, end_ms = excluded.end_ms, dimensions = excluded.dimensions,
      embedding = excluded.embedding, job_id = excluded.job_id, created_at = clock_timestamp()`.execute(withTables(trx))
}
