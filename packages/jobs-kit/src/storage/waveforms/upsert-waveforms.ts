import { sql } from 'kysely'
import { lockMediaNode } from '../media/lock-media-node.ts'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { WaveformLevel, WaveformTables } from './tables.ts'

/** A medium's waveforms. */
export interface NewWaveforms {
  /** The job that made them. */
  readonly jobId: string | null
  /** How long the sound is, in milliseconds. */
  readonly durationMs: number
  /** Each level once, at least one; `content` is audiowaveform's JSON, version 2, as it is to be served. */
  readonly levels: readonly { readonly level: WaveformLevel; readonly content: string }[]
}

/**
 * Puts waveforms in place of the medium's old ones of the same levels.
 * @throws PermanentError `MEDIA_NODE_MISSING` when the medium's node is gone.
 */
export async function upsertWaveforms(
  trx: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  { jobId, durationMs, levels }: NewWaveforms,
): Promise<void> {
  await lockMediaNode(trx, mediaNodeId)
  const row = { collection_node_id: collectionNodeId, media_node_id: mediaNodeId, job_id: jobId, duration_ms: durationMs }
  await withTables<WaveformTables>(trx)
    .insertInto('media_waveforms')
    // In one order, so that two who write them line up.
    .values(levels.toSorted((a, b) => (a.level < b.level ? -1 : 1)).map((level) => ({ ...row, ...level })))
    .onConflict((conflict) =>
      conflict.columns(['collection_node_id', 'media_node_id', 'level']).doUpdateSet(({ ref }) => ({
        content: sql<string>`excluded.content`,
        duration_ms: ref('excluded.duration_ms'),
        job_id: ref('excluded.job_id'),
        updated_at: sql`clock_timestamp()`,
      })),
    )
    .execute()
}
