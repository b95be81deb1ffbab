import type { ColumnType, Generated } from 'kysely'
import type { JsonValue } from '../json/json-value.ts'
import type { Misfire } from '../schedule/timing.ts'

/** All states of a job; see docs/job-lifecycle.md. */
export const JOB_STATUSES = ['pending', 'running', 'completed', 'error', 'retry', 'cancelled'] as const
/** The state of a job; see docs/job-lifecycle.md. */
export type JobStatus = (typeof JOB_STATUSES)[number]

/** Why a run ended without simply succeeding. */
export type AttemptEnd = 'failed' | 'timeout' | 'lease_expired' | 'interrupted' | 'cancelled' | 'snoozed' | 'retried_by_admin'

/** How a worker hears of new jobs. */
export type WakeMode = 'listening' | 'polling'

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>
type Json = ColumnType<JsonValue, string, string>

/** A node of the host application. Here it is the collection: the tenant a job belongs to. */
export interface NodesTable {
  id: Generated<string>
  kind: string
  title: string | null
  content: string | null
  metadata: ColumnType<JsonValue, string | undefined, string>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface JobQueueTable {
  id: Generated<string>
  collection_node_id: string
  job_type: string
  payload: Json
  status: Generated<JobStatus>
  priority: Generated<number>
  result: ColumnType<JsonValue | null, string | null | undefined, string | null>
  error_msg: string | null
  attempts: Generated<number>
  max_attempts: Generated<number>
  created_at: Timestamp
  started_at: Date | null
  completed_at: Date | null
  scheduled_for: Timestamp
  run: Generated<number>
  worker_id: string | null
  prefetched: Generated<boolean>
  rescues: Generated<number>
  snoozes: Generated<number>
  sequence: ColumnType<string, never, never>
  unique_key: string | null
  unique_until: 'claimed' | 'finished' | null
  unique_held: Generated<boolean>
  cancel_requested_at: Date | null
  correlation_id: string | null
  traceparent: string | null
  progress: number | null
  progress_text: string | null
  claim: Generated<string>
  /** Stands aside because its collection is paused. Only ever true of a waiting job. */
  parked: Generated<boolean>
  /** Of a failed run: what failed runs with the same cause have in common. */
  error_group: string | null
  ready: ColumnType<boolean, never, never>
  failed: ColumnType<boolean, never, never>
}

export interface JobWorkersTable {
  id: string
  host: string | null
  pid: number | null
  version: string | null
  types: string[] | null
  slots: Generated<number>
  registered_at: Timestamp
  heartbeat_at: Timestamp
  lease_expires_at: Date
  idle: Generated<boolean>
  draining: Generated<boolean>
  running_since: Timestamp
  held_from: Generated<string>
  dead_at: Date | null
  rescued_at: Date | null
  loop_silent_ms: number | null
  wake_mode: WakeMode | null
  /** Which services the jobs of a type cannot do without. */
  services: ColumnType<Record<string, string[]>, string | undefined, string>
}

export interface JobAttemptsTable {
  id: Generated<string>
  job_id: string
  run: number
  attempt: number
  worker_id: string | null
  started_at: Date | null
  ended_at: Timestamp
  end_reason: AttemptEnd
  error_code: string | null
  error_msg: string | null
  error_stack: string | null
}

export interface JobStepsTable {
  job_id: string
  name: string
  result: Json
  run: number
  created_at: Timestamp
}

/** A type everywhere (no collection), a collection (no type), or a type within a collection. */
export interface JobPausesTable {
  id: Generated<string>
  job_type: string | null
  collection_node_id: string | null
  paused_by: string | null
  reason: string | null
  paused_at: Timestamp
}

/** Periodic jobs; see docs/schedules.md. */
export interface JobSchedulesTable {
  id: Generated<string>
  collection_node_id: string
  name: string
  job_type: string
  payload: ColumnType<JsonValue, string | undefined, string>
  cron: string | null
  every_seconds: number | null
  time_zone: Generated<string>
  starts_at: Timestamp
  priority: Generated<number>
  max_attempts: Generated<number>
  unique_until: ColumnType<'claimed' | 'finished' | null, 'claimed' | 'finished' | null | undefined, 'claimed' | 'finished' | null>
  unique_key: string | null
  misfire: ColumnType<Misfire, Misfire | undefined, Misfire>
  enabled: Generated<boolean>
  next_at: Date | null
  counts_from: Timestamp
  last_tick_at: Date | null
  last_job_id: string | null
  error_msg: string | null
  revision: Generated<number>
  created_at: Timestamp
}

export interface JobScheduleTicksTable {
  schedule_id: string
  tick_at: Date
  job_id: string
  outcome: 'created' | 'kept'
  ticked_at: Timestamp
}

/** What all workers know about a service; a row once it has failed. */
export interface ServiceBreakersTable {
  service: string
  openings: Generated<number>
  failures: Generated<number>
  /** Null: closed. */
  opened_at: Date | null
  probes: Generated<number>
  probe_at: Date | null
  probe_id: string | null
  probe_expires_at: Date | null
  failed_at: Date | null
  error_code: string | null
  error_msg: string | null
  http_status: number | null
}

/** The queue's own tables, for `Kysely<QueueDatabase>` and `trx.withTables<QueueDatabase>()`. */
export type QueueDatabase = {
  nodes: NodesTable
  job_queue: JobQueueTable
  job_workers: JobWorkersTable
  job_attempts: JobAttemptsTable
  job_steps: JobStepsTable
  job_pauses: JobPausesTable
  job_schedules: JobSchedulesTable
  job_schedule_ticks: JobScheduleTicksTable
  service_breakers: ServiceBreakersTable
}
