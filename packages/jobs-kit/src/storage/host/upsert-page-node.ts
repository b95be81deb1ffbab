import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollection } from './in-collection.ts'

/** A node of a page of the web. */
export interface PageNode {
  /** As `pageNodeId` gives it. */
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly content: string
  /** What stands under `clip` in its metadata. Its `obstacle` is null where the page itself was read. The host's own keys stay beside it. */
  readonly clip: Readonly<Record<string, JsonValue>> & { readonly obstacle: string | null }
}

/**
 * What came of storing one: `stored`; `edited`, where somebody has changed title or content since they were stored: these stay, and the rest is new; `kept`, where the page had been read and now there is
 * something in its way: all stays; `foreign`, where a node of that id is not the collection's (any more), or is of another kind: nothing is changed.
 */
export type PageNodeOutcome = 'stored' | 'edited' | 'kept' | 'foreign'

/** Makes the node of a page, or replaces what is known of it. It belongs to nobody until `insertEdge` ties it to the collection, in the same transaction; `lockPageNode` goes before. */
export async function upsertPageNode(
  trx: StorageDatabase,
  collectionNodeId: string,
  { id, kind, title, content, clip }: PageNode,
): Promise<PageNodeOutcome> {
  const isMine = sql`nodes.kind = ${kind} and ${inCollection(sql.ref('nodes.id'), collectionNodeId)}`
  const isEdited = sql`nodes.metadata #>> '{clip,written}' is distinct from md5(coalesce(nodes.title, '') || chr(10) || coalesce(nodes.content, ''))`
  const losesPage = sql`${clip.obstacle}::text is not null and jsonb_typeof(nodes.metadata -> 'clip') = 'object' and nodes.metadata #>> '{clip,obstacle}' is null`
  const { rows } = await sql<{ outcome: PageNodeOutcome }>`
    with before as materialized (
      select ${isMine} as mine, ${isEdited} as edited, ${losesPage} as loses from nodes where id = ${id}::uuid
    ), made as (
      insert into nodes (id, kind, title, content, metadata)
      select ${id}::uuid, ${kind}, ${title}, ${content}, jsonb_build_object('clip',
        ${JSON.stringify(clip)}::jsonb || jsonb_build_object('written', md5(${title}::text || chr(10) || ${content}::text)))
      where not exists (select from before where loses or not mine)
      on conflict (id) do update set
        title = case when ${isEdited} then nodes.title else excluded.title end,
        content = case when ${isEdited} then nodes.content else excluded.content end,
        metadata = nodes.metadata || excluded.metadata,
        updated_at = clock_timestamp()
      where ${isMine}
      returning 1
    )
    select case
      when exists (select from before where not mine) then 'foreign'
      when exists (select from before where loses) then 'kept'
      when not exists (select from made) then 'foreign'
      when exists (select from before where edited) then 'edited'
      else 'stored' end as outcome`.execute(withTables(trx))
  return rows[0]?.outcome ?? 'foreign'
}
