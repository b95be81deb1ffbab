import type { JsonValue } from '@sidelinja/jobs-core'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { HostTables } from './tables.ts'

/** A node of the host application, as handlers see it. */
export interface HostNode {
  id: string
  kind: string
  title: string | null
  content: string | null
  metadata: JsonValue
}

/** The node of a collection; undefined when it is gone. */
export async function readNode(db: StorageDatabase, collectionNodeId: string): Promise<HostNode | undefined> {
  return await withTables<HostTables>(db)
    .selectFrom('nodes')
    .select(['id', 'kind', 'title', 'content', 'metadata'])
    .where('id', '=', collectionNodeId)
    .executeTakeFirst()
}
