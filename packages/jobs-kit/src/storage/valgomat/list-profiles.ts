import type { JsonValue } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { ProfileState, ProfilesTables } from './tables.ts'

/** A profile as it is served. Synthetic, always: say so wherever it is shown. */
export interface StoredProfile {
  id: string
  programmeNodeId: string
  party: string
  state: ProfileState
  synthetic: boolean
  content: JsonValue
  /** Of the content: what `decideProfile` is given by whoever has seen this one. */
  fingerprint: string
  /** What a job made after somebody had edited the draft; null: nothing, and of what is published always. */
  suggestion: JsonValue | null
  language: string | null
  model: string
  promptVersion: string
  /** The newest job that made any of it. */
  jobId: string | null
  updatedAt: Date
  decidedBy: string | null
  decidedAt: Date | null
}

const most = 500

/** A collection's profiles in one state, by party: at most 500. For voters `published` only; drafts are for those who decide. */
export async function listProfiles(
  db: StorageDatabase,
  collectionNodeId: string,
  { state }: { state: ProfileState },
): Promise<StoredProfile[]> {
  return await profilesOf(db, collectionNodeId).where('state', '=', state).orderBy('party').orderBy('updated_at').limit(most).execute()
}

/** One of them, in whatever state it is; undefined when it is gone, and when it belongs to others. */
export async function readProfile(db: StorageDatabase, collectionNodeId: string, profileId: string): Promise<StoredProfile | undefined> {
  return await profilesOf(db, collectionNodeId).where('id', '=', profileId).executeTakeFirst()
}

function profilesOf(db: StorageDatabase, collectionNodeId: string) {
  return withTables<ProfilesTables>(db)
    .selectFrom('valgomat_profiles')
    .select([
      ...(['id', 'programme_node_id as programmeNodeId', 'party', 'state', 'synthetic', 'content', 'language', 'model'] as const),
      ...(['prompt_version as promptVersion', 'job_id as jobId', 'updated_at as updatedAt', 'decided_by as decidedBy'] as const),
      ...(['decided_at as decidedAt'] as const),
      // Of what is published voters see what a person has accepted.
      sql<JsonValue | null>`case when state <> 'published' then suggestion end`.as('suggestion'),
      sql<string>`md5(content::text)`.as('fingerprint'),
    ])
    .where('collection_node_id', '=', collectionNodeId)
}
