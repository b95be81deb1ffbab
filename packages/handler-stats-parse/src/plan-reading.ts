import type { FileHandle } from 'node:fs/promises'
import { isJobsError } from '@sidelinja/jobs-core'
import type { FileRoot } from '@sidelinja/jobs-kit'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import { findRotated, type Rotated, type RotatedFile } from './find-rotated.ts'
import { isSameLog, type LogHead, readHead, sha256 } from './log-head.ts'
import { type Packing, packingOf } from './rotated-name.ts'

/** A file with lines that may not have been read. */
export interface LogPart {
  /** Relative to the root. */
  path: string
  packing: Packing
  head: LogHead
  /** Where to begin, in unpacked bytes. */
  from: number
  /** True for a file that nobody writes to any more: rotated, or packed. */
  final: boolean
  /** Opens the file; whoever does closes it. */
  open: () => Promise<FileHandle>
}

export interface ReadingPlan {
  /** Oldest first; the log itself is the last. */
  parts: LogPart[]
  /** Paths of rotated files that are there and cannot be read. */
  unreadable: string[]
  /** True when the file that the last run left half read is nowhere any more. */
  missing: boolean
  /** SHA-256 of the heads of all rotated files that are there; undefined when nobody looked. */
  present: Buffer[] | undefined
  /** Closes what is open already. */
  close: () => Promise<void>
}

export interface PlanOptions {
  /** Where the last run left this log; undefined when there was none. */
  from: LogCheckpoint | undefined
  /** SHA-256 of the heads of rotated files that were read to their end. Asked for only after a rotation. */
  readFinished: () => Promise<readonly Buffer[]>
  signal: AbortSignal
}

/**
 * Finds the files that hold unread lines of a log, across rotations. As long as the log is the file the last run read, nothing else is
 * looked at. Otherwise every rotated file is known by its head: read to its end before, or to be read on from the checkpoint, or new.
 * So names, times, inodes and packing may change between two runs. When in doubt a file is read again: counting a line twice changes
 * nothing.
 * @throws PermanentError `FILE_MISSING` when there is neither the log nor a rotated part of it, and as {@link FileRoot.open}.
 */
export async function planReading(logs: FileRoot, logPath: string, options: PlanOptions): Promise<ReadingPlan> {
  const { from, signal } = options
  // Opened before the folder is listed: what is rotated in between is then seen twice, and never not at all.
  const log = await openLog(logs, logPath, signal)
  try {
    if (log.part && from && continues(log.part, from)) return planOf(log, [{ ...log.part, from: from.byteOffset }])
    const rotated = await findRotated(logs, logPath, signal)
    if (log.part === undefined && rotated.files.length === 0) throw log.missing
    return planAfterRotation(log, rotated, { from, finished: await options.readFinished() })
  } catch (error) {
    await log.close()
    throw error
  }
}

interface OpenLog {
  part: LogPart | undefined
  /** The error when it is not there: for an instant while it is rotated, or until somebody writes to it again. */
  missing: unknown
  close: () => Promise<void>
}

async function openLog(logs: FileRoot, path: string, signal: AbortSignal): Promise<OpenLog> {
  let handle: FileHandle
  try {
    handle = await logs.open(path)
  } catch (missing) {
    if (!isJobsError(missing) || missing.code !== 'FILE_MISSING') throw missing
    return { part: undefined, missing, close: async () => {} }
  }
  const close = () => handle.close()
  try {
    const packing = packingOf(path)
    const head = await readHead(handle, packing, signal)
    return { part: { path, packing, head, from: 0, final: packing !== 'plain', open: async () => handle }, missing: undefined, close }
  } catch (error) {
    await close()
    throw error
  }
}

function continues({ head, packing }: LogPart, from: LogCheckpoint): boolean {
  return (packing !== 'plain' || head.size >= from.byteOffset) && isSameLog(head, from)
}

interface Read {
  from: LogCheckpoint | undefined
  finished: readonly Buffer[]
}

function planAfterRotation(log: OpenLog, rotated: Rotated, { from, finished }: Read): ReadingPlan {
  const read = new Set(finished.map(toKey))
  const files = distinct(rotated.files)
  // The log itself may be among them: copied and not yet cut, or rotated since it was opened.
  if (log.part) files.delete(keyOf(log.part))
  const isRead = from !== undefined && read.has(toKey(from.headSha256))
  const current = from && [...files.values()].find(({ head }) => isSameLog(head, from))
  const parts = current && !isRead ? [{ ...toPart(current), from: from.byteOffset }] : []
  for (const [key, file] of files) if (file !== current && !read.has(key)) parts.push(toPart(file))
  if (log.part) parts.push(log.part)
  return {
    ...planOf(log, parts),
    unreadable: rotated.unreadable,
    // It may be one of those that cannot be read.
    missing: from !== undefined && current === undefined && !isRead && rotated.unreadable.length === 0,
    present: [...files.keys()].map((key) => Buffer.from(key, 'hex')),
  }
}

/** By head: the same file may lie there twice, copied or packed. */
function distinct(files: readonly RotatedFile[]): Map<string, RotatedFile> {
  const byHead = new Map<string, RotatedFile>()
  for (const file of files) if (!byHead.has(keyOf(file))) byHead.set(keyOf(file), file)
  return byHead
}

function toPart({ file, packing, head }: RotatedFile): LogPart {
  return { path: file.path, packing, head, from: 0, final: true, open: file.open }
}

function planOf(log: OpenLog, parts: LogPart[]): ReadingPlan {
  return { parts, unreadable: [], missing: false, present: undefined, close: log.close }
}

const keyOf = ({ head }: { head: LogHead }) => toKey(sha256(head.bytes))
const toKey = (digest: Buffer) => digest.toString('hex')
