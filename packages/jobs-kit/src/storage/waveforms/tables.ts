import type { ColumnType, Generated } from 'kysely'

/** How closely a waveform looks: the whole at a glance, or 20 points a second. */
export type WaveformLevel = 'overview' | 'detail'

interface WaveformsTable {
  collection_node_id: string
  media_node_id: string
  level: WaveformLevel
  duration_ms: number
  content: ColumnType<unknown, string, string>
  job_id: string | null
  updated_at: Generated<Date>
}

/** The table of migrations/handlers/0007_media_waveforms.sql. */
export interface WaveformTables {
  media_waveforms: WaveformsTable
}
