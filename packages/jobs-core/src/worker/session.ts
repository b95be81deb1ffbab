/** One registration of the worker: its id, its lease and the end of both. */
export interface Session {
  readonly id: string
  readonly leaseMs: number
  /** Aborted when the lease is lost; every run of this session ends with it. */
  readonly lost: AbortSignal
  /** Call after each renewal, with the time it was asked for. */
  renewed(askedAt: number): void
  lose(): void
  /** True while nobody can have taken this session's jobs: by the process' own monotonic clock, which a pause does not stop. */
  holds(): boolean
}

export function createSession(id: string, leaseMs: number, registeredAt: number): Session {
  const controller = new AbortController()
  let renewedAt = registeredAt
  return {
    id,
    leaseMs,
    lost: controller.signal,
    renewed(askedAt) {
      renewedAt = Math.max(renewedAt, askedAt)
    },
    lose: () => controller.abort(),
    holds: () => !controller.signal.aborted && performance.now() - renewedAt < leaseMs,
  }
}
