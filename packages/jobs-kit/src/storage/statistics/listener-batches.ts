import { setImmediate } from 'node:timers/promises'
import { BATCH_ROWS } from '../batches.ts'
import { hashListener } from './hash-listener.ts'
import type { ListenerDay } from './merge-listener-days.ts'

/** So many hashes take a few milliseconds; then others have their turn. */
const HASHES_PER_TURN = 2000
const HASH_BYTES = 32

/** What a run saw of one listener's day with one episode. */
export interface SeenListener {
  readonly app: string
  /** Bytes received: start (inclusive) and end (exclusive) in turn. */
  readonly ranges: readonly number[]
  /** The file's size, when this listener's own answers told it. */
  readonly totalBytes: number | undefined
}

/** The listeners of one episode on one day. Gone through anew each time the run is written. */
export interface ListenerGroup {
  readonly day: string
  readonly episode: string
  readonly size: number
  /** What tells the listeners apart, each once: cut address and user agent. Hashed here, never stored. */
  names(): Iterable<string>
  /** @param position 0 … `size` − 1, in the order of `names`. */
  at(position: number): SeenListener
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
  for (const group of groups.toSorted(byKey)) {
    const { day, episode } = group
    const salt = salts.get(day)
    if (!salt) continue
    const hashes = await hashAll(group, salt)
    for (const position of sortedPositions(hashes)) {
      const { app, ranges, totalBytes } = group.at(position)
      const listenerHash = hashes.toString('hex', position * HASH_BYTES, (position + 1) * HASH_BYTES)
      batch.push({ day, episode, listenerHash, app, ranges, thresholdBytes: thresholdBytes(episode, totalBytes ?? sizes.get(episode)) })
      if (batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** One after the other in one buffer: tens of thousands of small objects would cost more than they hold. */
async function hashAll(group: ListenerGroup, salt: Buffer): Promise<Buffer> {
  const hashes = Buffer.alloc(group.size * HASH_BYTES)
  let position = 0
  for (const name of group.names()) {
    hashes.write(hashListener(salt, name), position++ * HASH_BYTES, 'hex')
    if (position % HASHES_PER_TURN === 0) await setImmediate()
  }
  return hashes
}

function sortedPositions(hashes: Buffer): Uint32Array {
  const size = hashes.length / HASH_BYTES
  const beginnings = Float64Array.from({ length: size }, (_, position) => hashes.readUIntBE(position * HASH_BYTES, 6))
  const rest = (a: number, b: number) => hashes.compare(hashes, b * HASH_BYTES, (b + 1) * HASH_BYTES, a * HASH_BYTES, (a + 1) * HASH_BYTES)
  return Uint32Array.from({ length: size }, (_, position) => position).sort(
    (a, b) => (beginnings[a] ?? 0) - (beginnings[b] ?? 0) || rest(a, b),
  )
}

/** By episode, day and app, as far as there are. */
export function byKey(a: { episode: string; day?: string; app?: string }, b: typeof a): number {
  return compare(a.episode, b.episode) || compare(a.day ?? '', b.day ?? '') || compare(a.app ?? '', b.app ?? '')
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
