import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollection } from './in-collection.ts'
import type { HostTables } from './tables.ts'

/** A node that a job makes. */
export interface OwnNode {
  /** The same in each run of the job. */
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly content: string
  /** Keys of the host's own stay beside these when the node is replaced. */
  readonly metadata: Readonly<Record<string, JsonValue>>
}

/**
 * Makes a job's own node, or replaces the one of its run before. It belongs to nobody until `insertEdge` ties it to the collection, in the same transaction.
 * @returns false when there is one of that id that is not the collection's (any more), or is of another kind: then nothing is changed.
 */
export async function upsertOwnNode(trx: StorageDatabase, collectionNodeId: string, { metadata, ...node }: OwnNode): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await withTables<HostTables>(trx)
    .insertInto('nodes')
    .values({ ...node, metadata: JSON.stringify(metadata) })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          title: node.title,
          content: node.content,
          metadata: sql`nodes.metadata || excluded.metadata`,
          updated_at: sql`clock_timestamp()`,
        })
        .where('nodes.kind', '=', node.kind)
        .where(inCollection(sql.ref('nodes.id'), collectionNodeId)),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
