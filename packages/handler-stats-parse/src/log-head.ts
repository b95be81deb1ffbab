import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import { parseTime } from './access-time.ts'
import { openBytes } from './byte-source.ts'
import type { Packing } from './rotated-name.ts'

/** By so many first bytes a file is known again, whatever it is called and however it is packed by then. */
export const HEAD_BYTES = 4096
/** So few bytes can begin any log: then the file itself must be the same one. */
export const TELLING_BYTES = 64

/** What tells a log file from all others. */
export interface LogHead {
  /** The first bytes, at most 4,096, unpacked. */
  bytes: Buffer
  device: bigint
  inode: bigint
  /** In bytes, as it lies on the disk. */
  size: number
  /** It broke off, or could not be unpacked, within these bytes. */
  damaged: boolean
}

/** Looks at an open log file. */
export async function readHead(file: FileHandle, packing: Packing, signal: AbortSignal): Promise<LogHead> {
  const { dev, ino, size } = await file.stat({ bigint: true })
  const source = openBytes(file, { packing, from: 0, signal })
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    let filled = 0
    for (let read = -1; read !== 0 && filled < HEAD_BYTES; filled += read) read = await source.read(bytes, filled, HEAD_BYTES - filled)
    return { bytes: bytes.subarray(0, filled), device: dev, inode: ino, size: Number(size), damaged: source.damaged }
  } finally {
    await source.close()
  }
}

/** True when this is the file the checkpoint was made for. Only as much of its head is compared as had been read then. */
export function isSameLog(head: LogHead, checkpoint: LogCheckpoint): boolean {
  if (head.bytes.length < checkpoint.headLength) return false
  if (!sha256(head.bytes.subarray(0, checkpoint.headLength)).equals(checkpoint.headSha256)) return false
  return checkpoint.headLength >= TELLING_BYTES || (head.device === checkpoint.device && head.inode === checkpoint.inode)
}

/** When the first line was written that says so, in seconds since 1970. */
export function firstSeconds(head: Buffer): number | undefined {
  const ts = /"ts":\s*("[^"]*"|[\d.e+]+)/.exec(head.toString('latin1'))?.[1]
  return ts === undefined ? undefined : parseTime(ts.startsWith('"') ? ts.slice(1, -1) : Number(ts))
}

/** True when `bytes` are `beginning` and perhaps more. */
export function beginsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.length >= beginning.length && bytes.subarray(0, beginning.length).equals(beginning)
}

/** 32 bytes. */
export function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
