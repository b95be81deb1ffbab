import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import { inCollection } from './in-collection.ts'
import type { HostTables } from './tables.ts'

/** A node that a job makes, and that people may edit afterwards. */
export interface EditableNode {
  /** The same in each run. */
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly content: string
  /** The key of its metadata that is the job's, and what stands there. The host's own keys stay beside it. */
  readonly key: string
  readonly about: Readonly<Record<string, JsonValue>>
}

/**
 * Makes a job's node, or replaces the one of a run before. Where somebody has edited title or content since, both stay, and the new ones stand in its metadata, under the key, as
 * `suggestion`, and whoever takes those over, or the edit back, has them replaced again. It belongs to nobody until `insertEdge` ties it to the collection, in the same transaction.
 * @returns which of the two; `foreign` where there is a node of that id that is not the collection's (any more), or is of another kind: then nothing is changed.
 */
export async function upsertUneditedNode(
  trx: StorageDatabase,
  collectionNodeId: string,
  { id, kind, title, content, key, about }: EditableNode,
): Promise<'stored' | 'suggested' | 'foreign'> {
  const made = JSON.stringify(about)
  const written = sql<string>`md5(${title}::text || chr(10) || ${content}::text)`
  const stands = sql`md5(coalesce(nodes.title, '') || chr(10) || coalesce(nodes.content, ''))`
  const edited = sql<boolean>`(nodes.metadata #>> array[${key}::text, 'written'] is distinct from ${stands}
    and nodes.metadata #>> array[${key}::text, 'suggested'] is distinct from ${stands})`
  const suggestion = sql`jsonb_build_object('suggestion', ${made}::jsonb || jsonb_build_object('title', ${title}::text, 'content', ${content}::text))`
  const beside = sql`nodes.metadata || jsonb_build_object(${key}::text, coalesce(nodes.metadata -> ${key}::text, '{}') || jsonb_build_object('suggested', ${written}) || ${suggestion})`
  const row = await withTables<HostTables>(trx)
    .insertInto('nodes')
    .values({
      ...{ id, kind, title, content },
      metadata: sql`jsonb_build_object(${key}::text, ${made}::jsonb || jsonb_build_object('written', ${written}))`,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          title: sql`case when ${edited} then nodes.title else excluded.title end`,
          content: sql`case when ${edited} then nodes.content else excluded.content end`,
          metadata: sql`case when ${edited} then ${beside} else nodes.metadata || excluded.metadata end`,
          updated_at: sql`clock_timestamp()`,
        })
        .where('nodes.kind', '=', kind)
        .where(inCollection(sql.ref('nodes.id'), collectionNodeId)),
    )
    .returning(sql<boolean>`metadata #> array[${key}::text, 'suggestion'] is not null`.as('suggested'))
    .executeTakeFirst()
  if (row === undefined) return 'foreign'
  return row.suggested ? 'suggested' : 'stored'
}
