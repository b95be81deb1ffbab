import type { FileHandle } from 'node:fs/promises'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import { beginsWith, HEAD_BYTES, readHead, sha256, TELLING_BYTES } from './log-head.ts'
import type { LogPart } from './plan-reading.ts'

export interface Place {
  /** The log, relative to the root. */
  logPath: string
  /** Where the last run left it. */
  from: LogCheckpoint | undefined
  /** Where this run leaves the file, in unpacked bytes. */
  offset: number
  /** True when nothing is left of the file. */
  ended: boolean
  /** The latest time this run has seen, in seconds since 1970. */
  lastSeconds: number | undefined
  signal: AbortSignal
}

/** The checkpoint after a part of a log, or in the middle of it. */
export async function checkpointAt(handle: FileHandle, part: LogPart, place: Place): Promise<LogCheckpoint> {
  const { logPath, from, offset, lastSeconds } = place
  const { device, inode, size } = part.head
  const head = await headAt(handle, part, place)
  const lastTs = latest(lastSeconds, from?.lastTs ?? null)
  return { path: logPath, device, inode, byteOffset: offset, ...head, size: Math.max(size, offset), lastTs }
}

/** By what the file will be known again: the head it has been known by, so that a copy of it, made before it grew, is known too. */
async function headAt(handle: FileHandle, part: LogPart, { from, offset, ended, signal }: Place) {
  const { bytes } = part.head
  if (part.final && ended) return headOf(bytes)
  if (part.from > 0 && from && from.headLength >= TELLING_BYTES) return { headSha256: from.headSha256, headLength: from.headLength }
  if (bytes.length >= Math.min(offset, HEAD_BYTES)) return headOf(bytes.subarray(0, offset))
  // The log has grown since it was looked at; unless it was cut and begun anew.
  const now = await readHead(handle, part.packing, signal)
  return headOf((beginsWith(now.bytes, bytes) ? now.bytes : bytes).subarray(0, offset))
}

function headOf(bytes: Buffer) {
  return { headSha256: sha256(bytes), headLength: bytes.length }
}

function latest(seconds: number | undefined, before: Date | null): Date | null {
  if (seconds === undefined) return before
  const seen = new Date(seconds * 1000)
  return before !== null && before > seen ? before : seen
}
