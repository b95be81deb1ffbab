import type { ColumnType } from 'kysely'

type Written<T> = ColumnType<T, T | undefined, T>

interface LogCheckpointsTable {
  collection_node_id: string
  path: string
  device: ColumnType<string, string | bigint, string | bigint>
  inode: ColumnType<string, string | bigint, string | bigint>
  byte_offset: ColumnType<string, number, number>
  head_sha256: Buffer
  head_length: number
  size: ColumnType<string, number, number>
  last_ts: Date | null
  updated_at: Written<Date>
}

interface FinishedLogsTable {
  collection_node_id: string
  path: string
  head_sha256: Buffer
  finished_at: Written<Date>
}

interface SaltsTable {
  collection_node_id: string
  day: ColumnType<Date, string, string>
  salt: Buffer
  expires_at: Date
}

interface EpisodeFilesTable {
  collection_node_id: string
  episode: string
  total_bytes: ColumnType<string, number, number>
  declared: boolean
  updated_at: Written<Date>
}

interface ListenerDaysTable {
  collection_node_id: string
  day: ColumnType<Date, string, string>
  episode: string
  listener_hash: Buffer
  app: string
  ranges: string
  threshold_bytes: ColumnType<string | null, number | null, number | null>
  counted: Written<boolean>
}

interface DownloadsTable {
  collection_node_id: string
  episode: string
  day: ColumnType<Date, string, string>
  app: string
  downloads: ColumnType<string, number, number>
}

/** The tables of migrations/handlers/0001_podcast_statistics.sql and 0002_finished_logs.sql. */
export interface StatisticsTables {
  podcast_log_checkpoints: LogCheckpointsTable
  podcast_finished_logs: FinishedLogsTable
  podcast_salts: SaltsTable
  podcast_episode_files: EpisodeFilesTable
  podcast_listener_days: ListenerDaysTable
  podcast_downloads: DownloadsTable
}
