import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollectionAsSource } from './in-collection.ts'
import type { HostTables } from './tables.ts'

/**
 * Gives a node another content, unless that was changed since it was read.
 * @returns false when its content is no longer `before`, or the node is no longer the collection's: then nothing is changed.
 */
export async function replaceContent(
  trx: StorageDatabase,
  collectionNodeId: string,
  nodeId: string,
  { before, after }: { before: string; after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await withTables<HostTables>(trx)
    .updateTable('nodes')
    .set({ content: after, updated_at: sql`clock_timestamp()` })
    .where('id', '=', nodeId)
    .where('content', '=', before)
    .where(inCollectionAsSource(sql.ref('nodes.id'), collectionNodeId))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
