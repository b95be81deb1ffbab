import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** A node that a job made or changed, as a page shows it. */
export interface ResultNode {
  title: string | null
  /** The first 60,000 characters. */
  content: string | null
  /** What stands under the one key of the metadata. */
  detail: JsonValue
}

/**
 * A node of a collection for who looks at a job's result, who may be a user that can read no node but through this. Undefined when it is gone, and when
 * it belongs to others.
 */
export async function readResultNode(
  db: StorageDatabase,
  collectionNodeId: string,
  { nodeId, metadataKey }: { readonly nodeId: string; readonly metadataKey: string },
): Promise<ResultNode | undefined> {
  const { rows } = await sql<ResultNode>`
    select title, content, detail from result_node(${collectionNodeId}::uuid, ${nodeId}::uuid, ${metadataKey})`.execute(withTables(db))
  return rows[0]
}
