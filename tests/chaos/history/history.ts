import type { JobStatus } from '@sidelinja/jobs-core/admin'

/** One change of a row of job_queue, written down by a trigger in the same transaction. All times in milliseconds since 1970. */
export interface JobChange {
  /** Order of writing; that of one job is the order of its changes. */
  position: number
  /** The database's clock, when the row changed. */
  at: number
  job: string
  type: string
  /** Null: the row was inserted. */
  from: JobStatus | null
  to: JobStatus
  oldRun: number
  run: number
  oldAttempts: number
  attempts: number
  maxAttempts: number
  oldWorker: string | null
  worker: string | null
  oldScheduledFor: number
  scheduledFor: number
  /** Begin of the newest run's claim, by the database's clock. */
  startedAt: number | null
  wasPrefetched: boolean
  rescues: number
  priority: number
  /** Another payload: somebody replaced a waiting job. */
  replaced: boolean
}

/** A row of job_attempts. */
export interface AttemptRow {
  job: string
  run: number
  reason: string
}

/** A worker that was declared dead. */
export interface Death {
  worker: string
  leaseExpiresAt: number
  deadAt: number
}

/** How a job stands at the end. */
export interface JobRow {
  id: string
  type: string
  status: JobStatus
  run: number
  /** Its correlation id: who enqueued it named it so before. */
  tag: string | null
}

/** What a process wrote down about itself, before it did the next thing. */
export interface ProcessEvent {
  /** By the machine's clock, also where the process' own is wrong. */
  at: number
  pid: number
  kind: EventKind
  job?: string
  run?: number
  worker?: string
  /** The correlation id of a job that is being enqueued. */
  tag?: string
  /** What was answered, or done, in a word. */
  what?: string
}

export type EventKind =
  /** The worker registered under this id. */
  | 'registered'
  /** A handler began. */
  | 'start'
  /** A handler did something that no database can take back. */
  | 'effect'
  /** A step's function was called. */
  | 'step'
  /** A handler's write was called. */
  | 'write'
  /** The worker says that it completed the run. */
  | 'completed'
  /** The database refused a write about a run that was somebody else's by then. */
  | 'late'
  /** The worker found its lease lost. */
  | 'lease_lost'
  /** About to kill itself at this step. */
  | 'kill'
  /** A job is about to be enqueued, was, or was not: its transaction was rolled back. */
  | 'asked'
  | 'acknowledged'
  | 'rolled_back'
  /** What an admin's cancel or retry was answered: `cancel:cancelled`, `retry:done`, `cancel:JOB_NOT_CANCELLABLE` … */
  | 'answer'

/** A worker that the program silenced: killed, or stopped for longer than its lease. */
export interface Silence {
  pid: number
  at: number
}

/** All that is known of what happened under one fault. */
export interface History {
  changes: readonly JobChange[]
  attempts: readonly AttemptRow[]
  deaths: readonly Death[]
  jobs: readonly JobRow[]
  /** What the writes of handlers left: job and run. */
  writes: readonly { job: string; run: number }[]
  events: readonly ProcessEvent[]
  silences: readonly Silence[]
  /** When the database could not be reached by all: `[from, to]`. */
  outages: readonly (readonly [number, number])[]
  /** How often the workers look for dead ones. */
  rescueIntervalMs: number
  /** How late a rescue may be beyond two such intervals, and how long a commit may be under way, on a machine that is busy. */
  slackMs: number
}

export interface Violation {
  invariant: string
  job?: string
  text: string
}

/** The changes of each job, in order. */
export function byJob<T extends { job?: string }>(items: readonly T[]): Map<string, T[]> {
  return Map.groupBy(
    items.filter((item) => item.job !== undefined),
    (item) => item.job as string,
  )
}

export const isFinal = (status: JobStatus) => status === 'completed' || status === 'error' || status === 'cancelled'
export const isWaiting = (status: JobStatus) => status === 'pending' || status === 'retry'
/** A claim. */
export const isClaim = (change: JobChange) => change.from !== null && change.from !== 'running' && change.to === 'running'
/** The end of a run, whatever came of it. */
export const isExit = (change: JobChange) => change.from === 'running' && change.to !== 'running'
