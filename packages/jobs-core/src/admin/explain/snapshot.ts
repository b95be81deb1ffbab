import type { AttemptEnd, JobStatus } from '../../database/tables.ts'

/** Everything about a job and its surroundings that the rules may look at, as it was at one moment. Times are milliseconds since 1970. */
export interface Snapshot {
  now: number
  job: {
    id: string
    type: string
    collection: string
    status: JobStatus
    attempts: number
    maxAttempts: number
    error: string | null
    scheduledFor: number
    startedAt: number | null
    completedAt: number | null
    prefetched: boolean
    cancelRequestedAt: number | null
  }
  /** The worker that has it, while it runs. */
  runner: { host: string | null; pid: number | null; alive: boolean; silentMs: number } | null
  /** How the newest run ended that did not simply succeed. */
  lastAttempt: { end: AttemptEnd; code: string | null; at: number } | null
  /** The pauses that hold it. */
  pauses: readonly { type: string | null; collection: string | null; by: string | null; reason: string | null; since: number }[]
  /** The services that are down, of those that its type needs as its workers that are alive say. */
  services: readonly {
    name: string
    since: number
    code: string | null
    status: number | null
    error: string | null
    probeAt: number
    probing: boolean
  }[]
  /** Up to 100 workers that have its type, those that are not known to be dead first. */
  workers: readonly {
    alive: boolean
    draining: boolean
    slots: number
    /** How many handlers it runs, as far as that can be counted cheaply. */
    running: number
    heartbeatAt: number
  }[]
  /** How many due jobs stand before it that the same workers may take: counted up to {@link MAX_AHEAD} + 1. */
  ahead: number
}

/** Further than this is not counted. */
export const MAX_AHEAD = 1_000
