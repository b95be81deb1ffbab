import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'
import type { WaveformLevel, WaveformTables } from './tables.ts'

/** A waveform as it is served. */
export interface StoredWaveform {
  /** audiowaveform's JSON, version 2: what peaks.js and waveform-data take. Up to 10 MB for a day of sound. */
  content: string
  /** How long the sound is, in milliseconds. */
  durationMs: number
  /** The job that made it; old jobs are deleted. */
  jobId: string | null
  updatedAt: Date
}

/** A medium's waveform of one level; undefined when none was made. */
export async function readWaveform(
  db: StorageDatabase,
  collectionNodeId: string,
  mediaNodeId: string,
  level: WaveformLevel,
): Promise<StoredWaveform | undefined> {
  return await withTables<WaveformTables>(db)
    .selectFrom('media_waveforms')
    // As text: nobody here looks into it.
    .select([sql<string>`content::text`.as('content'), 'duration_ms as durationMs', 'job_id as jobId', 'updated_at as updatedAt'])
    .where('collection_node_id', '=', collectionNodeId)
    .where('media_node_id', '=', mediaNodeId)
    .where('level', '=', level)
    .executeTakeFirst()
}
