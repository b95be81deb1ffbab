import { createPulse } from '../pulse.ts'
import type { Repetition } from '../repeat.ts'
import type { LeaseMemory } from './lease-memory.ts'
import { monotonicMs } from './monotonic-ms.ts'

/** Three chances to renew before the lease runs out, and more when one of them failed. */
const beatsPerLease = 3
const triesPerBeat = 4
/** However short the lease. */
const minRetryMs = 250

export interface Beating {
  /** Asks the database; false when the lease is lost. */
  renew(loopSilentMs: number): Promise<boolean>
  memory: LeaseMemory
  leaseMs: number
  /** An event loop that has not turned for so long is taken for dead: its lease is left to run out. */
  maxLoopBlockMs: number
  /** After the first renewal that followed on a failed one. */
  onRenewed(): void
  onLost(): void
  onError(error: unknown): void
}

/** Renews a lease until it is lost or the beating is stopped. */
export function startBeating(beating: Beating): Repetition {
  const pulse = createPulse()
  const beatMs = beating.leaseMs / beatsPerLease
  let stopped = false
  const loop = (async () => {
    let outcome: Beat = 'renewed'
    // The first at once: it makes the connection, which may take its time on a busy machine.
    while (!stopped && !beating.memory.isLost()) {
      const next = await beat(beating)
      if (outcome === 'failed' && next === 'renewed') beating.onRenewed()
      outcome = next
      // Counted from when the last renewal was asked for, however long its answer took.
      const sinceMs = monotonicMs() - beating.memory.renewedAt()
      await pulse.sleep(outcome === 'renewed' ? Math.max(0, beatMs - sinceMs) : retryMs(beating.leaseMs))
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

/** How soon after a renewal that failed the next is tried. */
export function retryMs(leaseMs: number): number {
  const beatMs = leaseMs / beatsPerLease
  return Math.min(beatMs, Math.max(beatMs / triesPerBeat, minRetryMs))
}

type Beat = 'renewed' | 'failed' | 'held'

async function beat({ renew, memory, maxLoopBlockMs, onLost, onError }: Beating): Promise<Beat> {
  if (memory.silentMs() > maxLoopBlockMs) return 'held'
  try {
    const askedAt = monotonicMs()
    if (await renew(memory.takeLongestSilenceMs())) {
      memory.renewed(askedAt)
    } else {
      memory.lose()
      onLost()
    }
    return 'renewed'
  } catch (error) {
    onError(error)
    return 'failed'
  }
}
