import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollectionAsSource } from './in-collection.ts'
import type { HostNode } from './read-node.ts'
import type { HostTables } from './tables.ts'

/** A node of a collection: its own, or one that an edge ties to it. Undefined when it is gone, and when it belongs to others. */
export async function readNodeInCollection(db: StorageDatabase, collectionNodeId: string, nodeId: string): Promise<HostNode | undefined> {
  return await withTables<HostTables>(db)
    .selectFrom('nodes')
    .select(['id', 'kind', 'title', 'content', 'metadata'])
    .where('id', '=', nodeId)
    .where(inCollectionAsSource(sql.ref('nodes.id'), collectionNodeId))
    .executeTakeFirst()
}
