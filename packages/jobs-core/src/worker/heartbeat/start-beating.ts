import { createPulse } from '../pulse.ts'
import type { Repetition } from '../repeat.ts'
import type { LeaseMemory } from './lease-memory.ts'
import { monotonicMs } from './monotonic-ms.ts'

/** Three chances to renew before the lease runs out, and more when one of them failed. */
const beatsPerLease = 3
const triesPerBeat = 4

export interface Beating {
  /** Asks the database; false when the lease is lost. */
  renew(loopSilentMs: number): Promise<boolean>
  memory: LeaseMemory
  leaseMs: number
  /** An event loop that has not turned for so long is taken for dead: its lease is left to run out. */
  maxLoopBlockMs: number
  onLost(): void
  onError(error: unknown): void
}

/** Renews a lease until it is lost or the beating is stopped. */
export function startBeating(beating: Beating): Repetition {
  const pulse = createPulse()
  const beatMs = beating.leaseMs / beatsPerLease
  let stopped = false
  const loop = (async () => {
    // The first at once: it makes the connection, which may take its time on a busy machine.
    while (!stopped && !beating.memory.isLost()) {
      const done = await beat(beating)
      // Counted from when the last renewal was asked for, however long its answer took.
      const sinceMs = done ? monotonicMs() - beating.memory.renewedAt() : 0
      await pulse.sleep(done ? Math.max(0, beatMs - sinceMs) : beatMs / triesPerBeat)
    }
  })()
  return {
    stop() {
      stopped = true
      pulse.wake()
      return loop
    },
  }
}

/** @returns false when it should soon be tried again. */
async function beat({ renew, memory, maxLoopBlockMs, onLost, onError }: Beating): Promise<boolean> {
  if (memory.silentMs() > maxLoopBlockMs) return false
  try {
    const askedAt = monotonicMs()
    if (await renew(memory.takeLongestSilenceMs())) {
      memory.renewed(askedAt)
    } else {
      memory.lose()
      onLost()
    }
    return true
  } catch (error) {
    onError(error)
    return false
  }
}
