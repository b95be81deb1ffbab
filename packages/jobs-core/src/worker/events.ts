import type { ErrorDescription } from '../errors/describe-error.ts'

interface JobFields {
  jobId: string
  jobType: string
  collectionNodeId: string
  attempt: number
  run: number
}

/** What a worker tells about itself. Plain data; turn it into log lines or metrics where you create the worker. */
export type WorkerEvent =
  | { name: 'worker.started'; workerId: string; types: readonly string[]; maxConcurrent: number }
  | { name: 'worker.draining'; running: number }
  | { name: 'worker.stopped' }
  | { name: 'no.handlers' }
  /** Row-level security does not bind the worker's role; told once. */
  | { name: 'role.unbound'; role: string; powers: readonly ('superuser' | 'bypassrls' | 'owner')[] }
  | ({ name: 'job.started' } & JobFields)
  | ({ name: 'job.completed'; durationMs: number } & JobFields)
  | ({ name: 'job.failed'; durationMs: number; final: boolean; retryAt: Date | null; error: ErrorDescription } & JobFields)
  | ({ name: 'job.snoozed'; durationMs: number; retryAt: Date; reason: string } & JobFields)
  | ({ name: 'job.cancelled'; durationMs: number } & JobFields)
  | ({ name: 'job.released'; started: boolean } & JobFields)
  /** The job was deleted while it ran, or belongs to another worker now: nothing was written. */
  | ({ name: 'job.gone'; reason: 'deleted' | 'lost' } & JobFields)
  | ({ name: 'job.log'; level: 'debug' | 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> } & JobFields)
  | { name: 'lease.lost'; workerId: string; running: number }
  /** The event loop stood still: a handler held it, or the process was paused. `jobTypes`: what runs here. */
  | { name: 'loop.blocked'; blockedMs: number; jobTypes: readonly string[] }
  /** Heartbeats come from the event loop of the handlers, for want of a thread: one that blocks it may cost the lease. */
  | { name: 'heartbeat.inline'; error: ErrorDescription }
  /** A handler was given up and does not end: it goes on using this process. */
  | { name: 'handler.stuck'; jobType: string }
  | { name: 'jobs.rescued'; jobs: number; workers: number }
  | { name: 'database.lost'; during: string; error: ErrorDescription }
  | { name: 'database.back'; afterMs: number }
  | { name: 'listen.lost'; error: ErrorDescription | null }
  | { name: 'settle.retried'; jobs: number; error: ErrorDescription }

/** Takes events; must not throw (what it throws is ignored). */
export type OnWorkerEvent = (event: WorkerEvent) => void
