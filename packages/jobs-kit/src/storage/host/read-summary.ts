import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { derivedNodeId } from './own-node-id.ts'
import type { HostNode } from './read-node.ts'
import type { HostTables } from './tables.ts'

/**
 * The summary that a collection has of a chat or a meeting; undefined when none was made. It has no access of its own: ask whether the user may read the chat or the meeting
 * before it is shown.
 */
export async function readSummary(db: StorageDatabase, collectionNodeId: string, nodeId: string): Promise<HostNode | undefined> {
  return await withTables<HostTables>(db)
    .selectFrom('nodes')
    .select(['id', 'kind', 'title', 'content', 'metadata'])
    .where('id', '=', derivedNodeId(collectionNodeId, { kind: 'summary', of: nodeId }))
    .where('kind', '=', 'summary')
    .where(sql<boolean>`exists (select from edges e where e.source_id = nodes.id and e.target_id = ${nodeId}::uuid and e.kind = 'summary')`)
    .executeTakeFirst()
}
