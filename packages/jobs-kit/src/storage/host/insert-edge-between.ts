import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollection } from './in-collection.ts'

/**
 * Ties two nodes of the collection, unless they are tied so already.
 * @returns false when one of them is not the collection's (any more): then nothing is changed.
 */
export async function insertEdgeBetween(
  trx: StorageDatabase,
  collectionNodeId: string,
  { sourceId, targetId, kind }: { sourceId: string; targetId: string; kind: string },
): Promise<boolean> {
  // Locked, so that neither goes before the edge is there.
  const { rows } = await sql`
    with ends as materialized (
      select id from nodes where id in (${sourceId}::uuid, ${targetId}::uuid) and ${inCollection(sql.ref('nodes.id'), collectionNodeId)} for key share
    ), whole as (
      select from ends having count(*) = ${sourceId === targetId ? 1 : 2}
    ), made as (
      insert into edges (source_id, target_id, kind, status, metadata)
      select ${sourceId}::uuid, ${targetId}::uuid, ${kind}, null, '{}' from whole
      on conflict do nothing
    )
    select 1 from whole`.execute(withTables(trx))
  return rows.length > 0
}
