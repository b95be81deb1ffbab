import type { PoolerSign } from '../database/pooling.ts'
import type { WakeMode } from '../database/tables.ts'
import type { ErrorDescription } from '../errors/describe-error.ts'

interface JobFields {
  jobId: string
  jobType: string
  collectionNodeId: string
  attempt: number
  maxAttempts: number
  run: number
}

/** Why a job is not tried again: another attempt could not help, there is none left, or it was snoozed 10,000 times. */
type FinalReason = 'permanent' | 'no_attempts_left' | 'snoozed_too_often'

type FailureEnd = { final: false; finalReason: null; retryAt: Date } | { final: true; finalReason: FinalReason; retryAt: null }

interface ScheduleFields {
  scheduleId: string
  /** Its name. */
  schedule: string
  scheduledType: string
  collectionNodeId: string
}

/**
 * Why a worker polls: the pooler in front of the server passes no notifications on; the connection that listened broke; it is there and
 * hears nothing.
 */
export type PollingReason = 'pooler' | 'lost' | 'deaf'

/** What a worker tells about itself. Plain data; turn it into log lines or metrics where you create the worker. */
export type WorkerEvent =
  | { name: 'worker.started'; workerId: string; types: readonly string[]; maxConcurrent: number }
  | { name: 'worker.draining'; running: number }
  | { name: 'worker.stopped' }
  | { name: 'no.handlers' }
  /** Row-level security does not bind the worker's role; told once. */
  | { name: 'role.unbound'; role: string; powers: readonly ('superuser' | 'bypassrls' | 'owner')[] }
  /** `waitedMs`: from when the job was due, at the earliest when it was enqueued, until it was claimed. */
  | ({ name: 'job.started'; waitedMs: number } & JobFields)
  /** What the handler reported, once it is stored: the newest, at most once a second. */
  | ({ name: 'job.progress'; fraction: number; text: string | null } & JobFields)
  | ({ name: 'job.completed'; durationMs: number } & JobFields)
  /** `final` with its reason, or tried again at `retryAt`. */
  | ({ name: 'job.failed'; durationMs: number; error: ErrorDescription } & FailureEnd & JobFields)
  | ({ name: 'job.snoozed'; durationMs: number; retryAt: Date; reason: string } & JobFields)
  | ({ name: 'job.cancelled'; durationMs: number } & JobFields)
  | ({ name: 'job.released'; started: boolean } & JobFields)
  /** The job was deleted while it ran, or belongs to another worker now: nothing was written. */
  | ({ name: 'job.gone'; reason: 'deleted' | 'lost' } & JobFields)
  | ({ name: 'job.log'; level: 'debug' | 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> } & JobFields)
  | { name: 'lease.lost'; workerId: string; running: number }
  /** The event loop stood still: a handler held it, or the process was paused. `jobTypes`: what runs here. */
  | { name: 'loop.blocked'; blockedMs: number; jobTypes: readonly string[] }
  /** Heartbeats come from the event loop of the handlers, for want of a thread or of a connection for it: one that blocks it may cost the lease. */
  | { name: 'heartbeat.inline'; error: ErrorDescription }
  /** A handler was given up and does not end: it goes on using this process. */
  | { name: 'handler.stuck'; jobType: string }
  /** Jobs ran by the database's account and not by this worker's: they were handed back. A defect of the queue; please report it. */
  | { name: 'jobs.forgotten'; jobIds: readonly string[] }
  | { name: 'jobs.rescued'; jobs: number; workers: number }
  /** A schedule's ticks are over. `kept`: a job of it still waited. `skipped`: ticks that nobody saw in time and that get no job, counted up to 100. */
  | ({ name: 'schedule.ticked'; jobs: { at: Date; id: string; outcome: 'created' | 'kept' }[]; skipped: number } & ScheduleFields)
  /** `stopped`: nobody looks at it any more until it is changed. Else it is tried again after a minute. */
  | ({ name: 'schedule.failed'; stopped: boolean; error: ErrorDescription } & ScheduleFields)
  /** Due schedules cannot be looked for, and the database is there. Looked for again at every poll; told once a minute while it lasts. */
  | { name: 'schedules.failing'; error: ErrorDescription }
  | { name: 'database.lost'; during: string; error: ErrorDescription }
  | { name: 'database.back'; afterMs: number }
  /** Whether jobs are heard of by notifications or only by polling; whenever that changes. */
  | { name: 'wake.mode'; mode: WakeMode; reason: PollingReason | null; error: ErrorDescription | null }
  /** The connections are no sessions of the server's, and nobody had said so (`pooler: 'transaction'`). `sign`: how it was found out. */
  | { name: 'pooler.found'; sign: PoolerSign }
  /** The server lets this worker have fewer connections than it could use, so fewer jobs may write at the same time. */
  | { name: 'connections.few'; allowed: number; wanted: number; writers: number }
  /**
   * The breaker of a service is open: jobs of these types wait. `since` is the database's time. `probeInMs`: after that one job finds out whether
   * it is back.
   */
  | { name: 'service.down'; service: string; since: Date; error: ErrorDescription; probeInMs: number; jobTypes: readonly string[] }
  /** It is closed again; `afterMs` is how long it was open. */
  | { name: 'service.back'; service: string; afterMs: number; jobTypes: readonly string[] }
  | { name: 'settle.retried'; jobs: number; error: ErrorDescription }

/** Takes events; must not throw (what it throws is ignored). */
export type OnWorkerEvent = (event: WorkerEvent) => void
