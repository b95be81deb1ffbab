import type { FileHandle } from 'node:fs/promises'
import { isJobsError } from '@sidelinja/jobs-core'
import type { FileRoot } from '@sidelinja/jobs-kit'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import { type ByteSource, openBytes } from './byte-source.ts'
import type { Counter } from './counter.ts'
import { checkpointAt } from './log-checkpoint.ts'
import { beginsWith, readHead, sha256 } from './log-head.ts'
import { maskLine } from './mask-line.ts'
import { type LogPart, type PlanOptions, planReading, type ReadingPlan } from './plan-reading.ts'
import { readLines } from './read-lines.ts'

/** What one run may read and hold; the rest is left for the next. */
export interface RunLimits {
  /** Unpacked bytes of log. */
  bytes: number
  /** Milliseconds from the beginning of the reading. */
  ms: number
  /** Listeners in memory. */
  listeners: number
}

export interface ReadLogOptions extends PlanOptions {
  counter: Counter
  limits: RunLimits
  /** A clock that never jumps, in milliseconds. */
  nowMs: () => number
  progress: (fraction: number, text?: string) => void
}

/** A malformed line: where it stands, and its shape without its words. */
export interface MalformedLine {
  file: string
  /** In unpacked bytes. */
  offset: number
  shape: string
}

export interface Reading {
  /** Where the next run goes on; undefined while the log has never had a whole line. */
  to: LogCheckpoint | undefined
  /** SHA-256 of the heads of the rotated files that were read to their end. */
  finished: Buffer[]
  /** SHA-256 of the heads of all rotated files that are there; undefined when nobody looked. */
  present: Buffer[] | undefined
  /** What was read, in order. Offsets are unpacked bytes. */
  files: { path: string; fromOffset: number; offset: number; damaged: boolean }[]
  unreadable: string[]
  missing: boolean
  malformed: MalformedLine[]
  /** True when a bound ended the run before the log did. */
  more: boolean
}

const MOST_SAMPLES = 5
/** How many bytes of log a packed byte is guessed to hold, for the progress. */
const GUESSED_RATIO = 12

/** Feeds what is new in a log and its rotated files to the counter, up to the limits of one run. */
export async function readLog(logs: FileRoot, logPath: string, options: ReadLogOptions): Promise<Reading> {
  const startedMs = options.nowMs()
  const plan = await planReading(logs, logPath, options)
  const { unreadable, missing, present } = plan
  const reading: Reading = { to: options.from, finished: [], present, files: [], unreadable, missing, malformed: [], more: false }
  const run: Run = {
    ...options,
    logPath,
    reading,
    bytesRead: 0,
    bytesToRead: guessBytes(plan, options.limits),
    isTimeUp: () => options.nowMs() - startedMs >= options.limits.ms,
  }
  try {
    options.signal.throwIfAborted()
    for (const part of plan.parts) {
      reading.more = reading.files.length > 0 && isSpent(run)
      if (reading.more || !(await readPart(part, run))) break
    }
  } finally {
    await plan.close()
  }
  options.progress(1, PROGRESS_TEXT)
  return reading
}

const PROGRESS_TEXT = 'Leser logg'

interface Run extends ReadLogOptions {
  logPath: string
  reading: Reading
  bytesRead: number
  bytesToRead: number
  isTimeUp: () => boolean
}

function isSpent({ bytesRead, limits, counter, isTimeUp }: Run): boolean {
  return bytesRead >= limits.bytes || counter.listeners.size >= limits.listeners || isTimeUp()
}

/** @returns false when the run ends here. */
async function readPart(part: LogPart, run: Run): Promise<boolean> {
  const { reading } = run
  const handle = await openPart(part, run)
  if (handle === undefined) {
    reading.more = true
    return false
  }
  try {
    const source = openBytes(handle, { packing: part.packing, from: part.from, signal: run.signal })
    const { offset, stopped } = await readSource(source, part, run).finally(source.close)
    const { size } = await handle.stat()
    const ended = !stopped || (part.packing === 'plain' && offset >= size)
    if (offset > 0) reading.to = await checkpointAt(handle, part, { ...run, lastSeconds: run.counter.lastSeconds, offset, ended })
    if (ended && part.path !== run.logPath) reading.finished.push(sha256(part.head.bytes))
    reading.files.push({ path: part.path, fromOffset: part.from, offset, damaged: source.damaged })
    reading.more = !ended
    return ended
  } finally {
    await handle.close()
  }
}

/** Undefined when the file is not what it was when the reading was planned: packed or removed meanwhile. The next run finds out. */
async function openPart(part: LogPart, { signal }: Run): Promise<FileHandle | undefined> {
  let handle: FileHandle
  try {
    handle = await part.open()
  } catch (error) {
    if (isJobsError(error) && error.code === 'FILE_MISSING') return undefined
    throw error
  }
  try {
    if (!part.final || beginsWith((await readHead(handle, part.packing, signal)).bytes, part.head.bytes)) return handle
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}

async function readSource(source: ByteSource, part: LogPart, run: Run) {
  const { counter, limits, reading } = run
  const before = run.bytesRead
  return await readLines(source, {
    fromOffset: part.from,
    final: part.final,
    maxBytes: limits.bytes - before,
    isTimeUp: run.isTimeUp,
    signal: run.signal,
    onLine(line, offset) {
      if (counter.count(line) === 'malformed' && reading.malformed.length < MOST_SAMPLES) {
        reading.malformed.push({ file: part.path, offset, shape: maskLine(line) })
      }
      return counter.listeners.size < limits.listeners
    },
    onTooLong: () => counter.skip('too_long'),
    onProgress(bytes) {
      run.bytesRead = before + bytes
      run.progress(Math.min(1, run.bytesRead / run.bytesToRead), PROGRESS_TEXT)
    },
  })
}

function guessBytes({ parts }: ReadingPlan, { bytes }: RunLimits): number {
  const left = parts.map(({ head, packing, from }) => Math.max(0, head.size * (packing === 'plain' ? 1 : GUESSED_RATIO) - from))
  return Math.max(
    1,
    Math.min(
      bytes,
      left.reduce((sum, part) => sum + part, 0),
    ),
  )
}
