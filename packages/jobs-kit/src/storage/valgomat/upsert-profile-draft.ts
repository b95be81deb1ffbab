import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { lockNodeInCollection } from '../host/lock-node-in-collection.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { ProfilesTables } from './tables.ts'

/** What an AI made of a party's programme. */
export interface NewProfile {
  readonly programmeNodeId: string
  readonly party: string
  /** The job that made it. */
  readonly jobId: string | null
  readonly content: JsonValue
  readonly language: string | null
  /** The model's alias. */
  readonly model: string
  readonly promptVersion: string
}

/**
 * Stores a profile as a draft, in place of the programme's draft before; what is published stays published. Where somebody has edited the draft it stays, and the new one stands
 * beside it as `suggestion`; whoever takes that over has it replaced again. Only `decideProfile` publishes.
 * @throws PermanentError `NODE_NOT_IN_COLLECTION` when the programme is gone, or is not the collection's (any more).
 */
export async function upsertProfileDraft(
  trx: StorageDatabase,
  collectionNodeId: string,
  { programmeNodeId, party, jobId, content, language, model, promptVersion }: NewProfile,
): Promise<{ id: string; stored: 'draft' | 'suggested' }> {
  await lockNodeInCollection(trx, collectionNodeId, programmeNodeId)
  const made = JSON.stringify(content)
  const by = { language, model, prompt_version: promptVersion, job_id: jobId }
  const stands = sql`md5(valgomat_profiles.content::text)`
  const edited = sql`${stands} <> valgomat_profiles.written_md5 and ${stands} is distinct from valgomat_profiles.suggested_md5`
  const { id, suggested } = await withTables<ProfilesTables>(trx)
    .insertInto('valgomat_profiles')
    .values({
      ...{ collection_node_id: collectionNodeId, programme_node_id: programmeNodeId, party, content: made, suggestion: null, ...by },
      ...{ written_md5: sql<string>`md5(${made}::jsonb::text)`, decided_by: null, decided_at: null },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['collection_node_id', 'programme_node_id', 'state'])
        .where(sql<boolean>`state in ('draft', 'published')`)
        .doUpdateSet({
          ...by,
          party: sql`case when ${edited} then valgomat_profiles.party else excluded.party end`,
          content: sql`case when ${edited} then valgomat_profiles.content else excluded.content end`,
          written_md5: sql`case when ${edited} then valgomat_profiles.written_md5 else excluded.written_md5 end`,
          suggestion: sql`case when ${edited} then excluded.content end`,
          suggested_md5: sql`case when ${edited} then excluded.written_md5 end`,
          updated_at: sql`clock_timestamp()`,
        }),
    )
    .returning(['id', sql<boolean>`suggestion is not null`.as('suggested')])
    .executeTakeFirstOrThrow()
  return { id, stored: suggested ? 'suggested' : 'draft' }
}
