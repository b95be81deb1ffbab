import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { lockNodeInCollection } from '../host/lock-node-in-collection.ts'
import { lockMediaNode } from '../media/lock-media-node.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { MinutesTables } from './tables.ts'

/** What an AI made of a meeting. */
export interface NewMinutes {
  /** The job that made them. */
  readonly jobId: string | null
  readonly content: JsonValue
  readonly language: string | null
  /** The model's alias. */
  readonly model: string
  readonly promptVersion: string
}

/**
 * Puts minutes in place of the meeting's old ones. Where somebody has edited those they stay, and the new ones stand beside them as `suggestion`;
 * whoever takes those over has them replaced again.
 * @returns which of the two.
 * @throws PermanentError `MEDIA_NODE_MISSING` when the meeting's node is gone, `NODE_NOT_IN_COLLECTION` when it is not the collection's (any more).
 */
export async function upsertMinutes(
  trx: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  { jobId, content, language, model, promptVersion }: NewMinutes,
): Promise<'stored' | 'suggested'> {
  await lockMediaNode(trx, mediaNodeId)
  await lockNodeInCollection(trx, collectionNodeId, mediaNodeId)
  const made = JSON.stringify(content)
  const by = { language, model, prompt_version: promptVersion, job_id: jobId }
  const stands = sql`md5(meeting_minutes.content::text)`
  const edited = sql`${stands} <> meeting_minutes.written_md5 and ${stands} is distinct from meeting_minutes.suggested_md5`
  const { suggestion } = await withTables<MinutesTables>(trx)
    .insertInto('meeting_minutes')
    .values({
      ...{ collection_node_id: collectionNodeId, media_node_id: mediaNodeId, content: made, suggestion: null, ...by },
      written_md5: sql`md5(${made}::jsonb::text)`,
    })
    .onConflict((conflict) =>
      conflict.columns(['collection_node_id', 'media_node_id']).doUpdateSet({
        ...by,
        content: sql`case when ${edited} then meeting_minutes.content else excluded.content end`,
        written_md5: sql`case when ${edited} then meeting_minutes.written_md5 else excluded.written_md5 end`,
        suggestion: sql`case when ${edited} then excluded.content end`,
        suggested_md5: sql`case when ${edited} then excluded.written_md5 end`,
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .returning(sql<boolean>`suggestion is not null`.as('suggestion'))
    .executeTakeFirstOrThrow()
  return suggestion ? 'suggested' : 'stored'
}
