import { type LeaseMemory, leaseMemory } from './heartbeat/lease-memory.ts'
import { monotonicMs } from './heartbeat/monotonic-ms.ts'

/** One registration of the worker: its id, its lease and the end of both. */
export interface Session {
  readonly id: string
  readonly leaseMs: number
  /** Aborted when the lease is lost; every run of this session ends with it. */
  readonly lost: AbortSignal
  /** Shared with the heartbeat's thread. */
  readonly memory: LeaseMemory
  /** Call after each renewal, with the time it was asked for, by `monotonicMs`. */
  renewed(askedAt: number): void
  lose(): void
  /** True while nobody can have taken this session's jobs: by the machine's own monotonic clock, which a pause does not stop. */
  holds(): boolean
}

export function createSession(id: string, leaseMs: number, registeredAt: number): Session {
  const controller = new AbortController()
  const memory = leaseMemory()
  memory.renewed(registeredAt)
  return {
    ...{ id, leaseMs, memory },
    lost: controller.signal,
    renewed: memory.renewed,
    lose() {
      memory.lose()
      controller.abort()
    },
    // The thread may know that the lease is lost before this event loop has heard of it.
    holds: () => !memory.isLost() && monotonicMs() - memory.renewedAt() < leaseMs,
  }
}
