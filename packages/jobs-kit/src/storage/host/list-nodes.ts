import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollectionAsSource } from './in-collection.ts'
import type { HostTables } from './tables.ts'

/** A node as others are told of it. */
export interface NamedNode {
  id: string
  kind: string
  title: string | null
  content: string | null
}

/** Nodes of a collection, by their ids and in that order; those that are not the collection's, or gone, are left out. Of a longer content the first 60,000 characters. */
export async function listNodes(db: StorageDatabase, collectionNodeId: string, nodeIds: readonly string[]): Promise<NamedNode[]> {
  if (nodeIds.length === 0) return []
  const rows = await withTables<HostTables>(db)
    .selectFrom('nodes')
    .select(['id', 'kind', 'title', sql<string | null>`left(content::text, 60000)`.as('content')])
    .where('id', 'in', [...nodeIds])
    .where(inCollectionAsSource(sql.ref('nodes.id'), collectionNodeId))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return nodeIds.flatMap((id) => byId.get(id) ?? [])
}
