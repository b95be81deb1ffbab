import type { RootedFile } from '@sidelinja/jobs-kit'
import type { LogCheckpoint } from '@sidelinja/jobs-kit/storage'
import type { Counter } from './counter.ts'
import { findStart, identifyLog } from './log-file.ts'
import { readLines } from './read-lines.ts'

/** What one run may read and hold; the rest is left for the next. */
const MOST_BYTES = 64 * 1024 * 1024
const MOST_LISTENERS = 100_000

export interface ReadLogOptions {
  /** Where the last run left this log; undefined when there was none. */
  from: LogCheckpoint | undefined
  counter: Counter
  signal: AbortSignal
  progress: (fraction: number, text?: string) => void
}

export interface Reading {
  /** In bytes. */
  fromOffset: number
  to: LogCheckpoint
  /** True when a bound ended the run before the file did. */
  more: boolean
}

/** Feeds a log's new lines to the counter and returns the checkpoint after them. */
export async function readLog(log: RootedFile, { from, counter, signal, progress }: ReadLogOptions): Promise<Reading> {
  const file = await log.open()
  try {
    const { size, ...identity } = await identifyLog(file)
    const fromOffset = await findStart(file, size, from)
    const toRead = Math.max(1, Math.min(size - fromOffset, MOST_BYTES))
    const { offset, stopped } = await readLines(file, {
      fromOffset,
      maxBytes: MOST_BYTES,
      signal,
      onLine(line) {
        counter.count(line)
        return counter.size < MOST_LISTENERS
      },
      onTooLong: () => counter.skip('too_long'),
      onProgress: (bytes) => progress(Math.min(1, bytes / toRead), 'Leser tilgangsloggen'),
    })
    // Caddy may have written on while this run was reading.
    const sizeNow = Math.max(size, offset)
    const to = { path: log.path, ...identity, size: sizeNow, byteOffset: offset, lastTs: latest(counter, from) }
    return { fromOffset, to, more: stopped && offset < sizeNow }
  } finally {
    await file.close()
  }
}

function latest({ lastSeconds }: Counter, from: LogCheckpoint | undefined): Date | null {
  const before = from?.lastTs ?? null
  if (lastSeconds === undefined) return before
  const seen = new Date(lastSeconds * 1000)
  return before !== null && before > seen ? before : seen
}
