import { setImmediate } from 'node:timers/promises'
import { hashListener } from './hash-listener.ts'
import type { ListenerDay } from './merge-listener-days.ts'

/** Of so many rows a statement consists at most. */
const BATCH_ROWS = 2000
/** So many hashes take a few milliseconds; then others have their turn. */
const HASHES_PER_TURN = 2000

/** One listener's day with one episode, as a run saw it. */
export interface SeenListener {
  /** What tells listeners apart: cut address and user agent. Hashed here, never stored. */
  readonly listener: string
  readonly app: string
  /** Bytes received: start (inclusive) and end (exclusive) in turn. */
  readonly ranges: readonly number[]
  /** The file's size, when this listener's own answers told it. */
  readonly totalBytes: number | undefined
}

/** The listeners of one episode on one day. */
export interface ListenerGroup {
  readonly day: string
  readonly episode: string
  /** Each listener once. Gone through anew each time the run is written. */
  readonly listeners: Iterable<SeenListener>
}

interface Run {
  readonly groups: readonly ListenerGroup[]
  readonly thresholdBytes: (episode: string, totalBytes: number | undefined) => number | undefined
}

/**
 * A run's listeners as rows, hashed, in the order in which everybody writes them: by episode, day and hash. In batches, so that few of
 * them are in memory at a time. Days without a salt are left out.
 */
export async function* listenerBatches(
  { groups, thresholdBytes }: Run,
  salts: ReadonlyMap<string, Buffer>,
  sizes: ReadonlyMap<string, number>,
): AsyncGenerator<ListenerDay[]> {
  let batch: ListenerDay[] = []
  for (const { day, episode, listeners } of groups.toSorted(byKey)) {
    const salt = salts.get(day)
    if (!salt) continue
    for (const [listenerHash, seen] of await hashAndSort(listeners, salt)) {
      const { app, ranges, totalBytes } = seen
      batch.push({ day, episode, listenerHash, app, ranges, thresholdBytes: thresholdBytes(episode, totalBytes ?? sizes.get(episode)) })
      if (batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

async function hashAndSort(listeners: Iterable<SeenListener>, salt: Buffer): Promise<[string, SeenListener][]> {
  const hashed: [string, SeenListener][] = []
  for (const seen of listeners) {
    hashed.push([hashListener(salt, seen.listener), seen])
    if (hashed.length % HASHES_PER_TURN === 0) await setImmediate()
  }
  return hashed.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** In pieces of a statement's size. */
export function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH_ROWS) yield items.slice(start, start + BATCH_ROWS)
}

/** By episode, day and app, as far as there are. */
export function byKey(a: { episode: string; day?: string; app?: string }, b: typeof a): number {
  return compare(a.episode, b.episode) || compare(a.day ?? '', b.day ?? '') || compare(a.app ?? '', b.app ?? '')
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
