import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { HostTables } from './tables.ts'

/** Ties a node to the collection, collection → node, unless it is tied so already. */
export async function insertEdge(trx: StorageDatabase, collectionNodeId: string, edge: { nodeId: string; kind: string }): Promise<void> {
  await withTables<HostTables>(trx)
    .insertInto('edges')
    .values({ source_id: collectionNodeId, target_id: edge.nodeId, kind: edge.kind, status: null, metadata: '{}' })
    // No target is named: a host's own index may be another one.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
