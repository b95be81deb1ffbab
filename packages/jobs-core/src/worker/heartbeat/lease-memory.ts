import { monotonicMs } from './monotonic-ms.ts'

/**
 * What the heartbeat's thread and the thread that runs the handlers tell each other. It is shared memory and not messages, because a
 * blocked event loop neither sends nor reads any.
 */
export interface LeaseMemory {
  /** To be handed to another thread. */
  readonly buffer: SharedArrayBuffer
  /** When the newest successful renewal was asked for, by {@link monotonicMs}. */
  renewedAt(): number
  /** Notes a renewal; one that answers late takes nothing back from a later one. */
  renewed(askedAt: number): void
  /** The lowest number of a claim that the worker may still hold. */
  heldFrom(): number
  holdFrom(claim: number): void
  isLost(): boolean
  lose(): void
  /** Says that the event loop turns. @returns how long ago it last said so. */
  tick(): number
  /** How long ago the event loop last said that it turns. */
  silentMs(): number
  /** The longest silence since this was last asked, also one that still lasts. */
  takeLongestSilenceMs(): number
}

const cells = { renewedAt: 0, tickAt: 1, longestSilence: 2, lost: 3, heldFrom: 4 } as const

/** @param buffer made by another thread's `leaseMemory`; left out, a new one. */
export function leaseMemory(buffer = new SharedArrayBuffer(Object.keys(cells).length * BigInt64Array.BYTES_PER_ELEMENT)): LeaseMemory {
  const memory = new BigInt64Array(buffer)
  const read = (cell: number) => fromMicros(Atomics.load(memory, cell))
  const raise = (cell: number, ms: number) => {
    if (ms > read(cell)) Atomics.store(memory, cell, toMicros(ms))
  }
  if (read(cells.tickAt) === 0) raise(cells.tickAt, monotonicMs())
  const silentMs = () => monotonicMs() - read(cells.tickAt)
  return {
    buffer,
    renewedAt: () => read(cells.renewedAt),
    renewed: (askedAt) => raise(cells.renewedAt, askedAt),
    heldFrom: () => Number(Atomics.load(memory, cells.heldFrom)),
    holdFrom: (claim) => void Atomics.store(memory, cells.heldFrom, BigInt(claim)),
    isLost: () => Atomics.load(memory, cells.lost) === 1n,
    lose: () => void Atomics.store(memory, cells.lost, 1n),
    tick() {
      const silent = silentMs()
      raise(cells.longestSilence, silent)
      raise(cells.tickAt, monotonicMs())
      return silent
    },
    silentMs,
    takeLongestSilenceMs: () => Math.max(silentMs(), fromMicros(Atomics.exchange(memory, cells.longestSilence, 0n))),
  }
}

function toMicros(ms: number): bigint {
  return BigInt(Math.round(ms * 1000))
}

function fromMicros(micros: bigint): number {
  return Number(micros) / 1000
}
