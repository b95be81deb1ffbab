import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** Where a text stands now. */
export interface PlacedText {
  readonly hash: string
  readonly seq: number
  readonly startMs: number | null
  readonly endMs: number | null
}

/** Gives texts whose vectors are there their new places; those that stand where they stood are not written. @returns how many of them there are. */
export async function moveEmbeddings(
  trx: StorageDatabase,
  collectionNodeId: string,
  { nodeId, model, texts }: { readonly nodeId: string; readonly model: string; readonly texts: readonly PlacedText[] },
): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    with placed as (
      select * from json_to_recordset(${JSON.stringify(texts)}::json) as p (hash text, seq integer, "startMs" integer, "endMs" integer)
    ), there as (
      select e.text_hash, p.* from placed p join node_embeddings e on e.collection_node_id = ${collectionNodeId}::uuid and e.node_id = ${nodeId}::uuid
        and e.model = ${model} and e.text_hash = p.hash
    ), moved as (
      update node_embeddings e set seq = t.seq, start_ms = t."startMs", end_ms = t."endMs" from there t
      where e.collection_node_id = ${collectionNodeId}::uuid and e.node_id = ${nodeId}::uuid and e.model = ${model} and e.text_hash = t.text_hash
        and (e.seq, e.start_ms, e.end_ms) is distinct from (t.seq, t."startMs", t."endMs")
    )
    select count(*)::integer as found from there`.execute(withTables(trx))
  return rows[0]?.found ?? 0
}
