import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollectionAsSource } from './in-collection.ts'

/** A message of a chat. */
export interface HostMessage {
  text: string
  /** `metadata.author`, where that is a text. */
  author: string | null
}

/** What is read of a chat. */
export interface HostChat {
  /** In the order in which they were written. */
  messages: HostMessage[]
  /** Older ones that are not among them. */
  older: number
}

/**
 * The newest messages of a chat of the collection: nodes of kind `message` that an edge `contains` joins to it, or `belongs_to` or `part_of` the other way. Messages without text are
 * none. A host that keeps them in another way changes this. None, where the chat is not the collection's.
 */
export async function listMessages(
  db: StorageDatabase,
  collectionNodeId: string,
  { nodeId, most }: { nodeId: string; most: number },
): Promise<HostChat> {
  const { rows } = await sql<HostMessage & { total: string }>`
    select m.content as text, case jsonb_typeof(m.metadata -> 'author') when 'string' then m.metadata ->> 'author' end as author, count(*) over () as total
    from nodes m
    where m.kind = 'message' and m.content ~ '\\S' and m.id in (
        select target_id from edges where source_id = ${nodeId}::uuid and kind = 'contains'
        union select source_id from edges where target_id = ${nodeId}::uuid and kind in ('belongs_to', 'part_of'))
      and ${inCollectionAsSource(sql`${nodeId}::uuid`, collectionNodeId)}
    order by m.created_at desc, m.id desc limit ${most}`.execute(withTables(db))
  return { messages: rows.map(({ text, author }) => ({ text, author })).reverse(), older: Number(rows[0]?.total ?? 0) - rows.length }
}
