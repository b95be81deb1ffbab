import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'

const HEAD_BYTES = 4096

/** What tells a log file from the one that will take its name. */
export interface LogIdentity {
  device: bigint
  inode: bigint
  /** In bytes, when it was looked at. */
  size: number
  /** SHA-256 of the first `headLength` bytes. */
  headSha256: Buffer
  /** 0 … 4,096. */
  headLength: number
}

/** Looks at an open log file. */
export async function identifyLog(file: FileHandle): Promise<LogIdentity> {
  const { dev, ino, size } = await file.stat({ bigint: true })
  const head = await readHead(file, HEAD_BYTES)
  return { device: dev, inode: ino, size: Number(size), headSha256: sha256(head), headLength: head.length }
}

/**
 * Where to go on in a log: where the checkpoint stands if this is still the file it was made for, else at the beginning. A head
 * shorter than 4 KiB may have grown since, so only as much of it as was recorded is compared.
 */
export async function findStart(file: FileHandle, size: number, checkpoint: LogCheckpoint | undefined): Promise<number> {
  if (!checkpoint || size < checkpoint.byteOffset) return 0
  const head = await readHead(file, checkpoint.headLength)
  return sha256(head).equals(checkpoint.headSha256) ? checkpoint.byteOffset : 0
}

async function readHead(file: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
