import { type RawBuilder, sql } from 'kysely'
import type { LogCheckpoint } from './checkpoint.ts'

interface CheckpointColumns {
  device: bigint
  inode: bigint
  byte_offset: number
  head_sha256: Buffer
  head_length: number
  size: number
  last_ts: Date | null
  updated_at: RawBuilder<Date>
}

/** A checkpoint's columns, without its key. */
export function checkpointColumns(checkpoint: LogCheckpoint): CheckpointColumns {
  return {
    device: checkpoint.device,
    inode: checkpoint.inode,
    byte_offset: checkpoint.byteOffset,
    head_sha256: checkpoint.headSha256,
    head_length: checkpoint.headLength,
    size: checkpoint.size,
    last_ts: checkpoint.lastTs,
    updated_at: sql<Date>`clock_timestamp()`,
  }
}
