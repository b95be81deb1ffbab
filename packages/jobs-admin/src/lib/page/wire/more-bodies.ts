import type { AuditRow, Json, Status } from './bodies.ts'

/** How many jobs; `capped`: at least so many. */
export interface Count {
  jobs: number
  capped: boolean
}

/** How many jobs of a type, by state. */
export interface TypeCounts {
  type: string
  statuses: Readonly<Partial<Record<Status, Count>>>
  oldest_due_at: string | null
}

/** Of all types without a line of their own together. */
export interface OtherCounts extends Omit<TypeCounts, 'type'> {
  /** How many types. */
  types: number
}

/** `GET {base}/counts` */
export interface CountsBody {
  counted_at: string | null
  finished_counted_at: string | null
  /** Failed jobs of groups that are set aside. */
  set_aside: number
  statuses: Readonly<Partial<Record<Status, Count>>>
  /** A hundred at most. */
  types: readonly TypeCounts[]
  others: OtherCounts | null
}

/** A type's numbers, one for each span. */
export interface ActivitySeries {
  type: string
  completed: readonly number[]
  /** For good. */
  failed: readonly number[]
  /** Attempts that failed, of jobs that are tried again. */
  retried: readonly number[]
}

/** How long jobs took. */
export interface DurationSummary {
  jobs: number
  p50_ms: number
  p95_ms: number
}

/** How long they waited and ran. */
export interface Durations {
  wait: DurationSummary | null
  run: DurationSummary | null
}

/** What ended of all types without a line of their own together, and how long that took. */
export interface OtherActivity extends Omit<ActivitySeries, 'type'>, Durations {
  /** How many types. */
  types: number
}

/** `GET {base}/activity` */
export interface ActivityBody {
  span: 'minute' | 'hour'
  starts_at: readonly string[]
  /** A hundred at most. */
  types: readonly ActivitySeries[]
  durations: readonly ({ type: string } & Durations)[]
  others: OtherActivity | null
}

/** Failed jobs with one cause. */
export interface ErrorGroup {
  error_group: string
  type: string
  jobs: number
  collections: number
  message: string | null
  first_failed_at: string | null
  last_failed_at: string | null
  /** Set aside until there are more than so many. */
  ignored: { more: number; new_jobs: number; since: string } | null
}

/** `GET {base}/errors` */
export interface ErrorsBody {
  groups: readonly ErrorGroup[]
  capped: boolean
}

/** A worker, as users may see it. */
export interface Worker {
  id: string
  state: 'alive' | 'draining' | 'lost'
  version: string | null
  types: readonly string[] | null
  slots: number
  running: number
  idle: boolean
  registered_at: string
  heartbeat_at: string
  lease_expires_at: string
}

/** `GET {base}/workers` */
export interface WorkersBody {
  workers: readonly Worker[]
}

/** Something that comes back. */
export interface Schedule {
  id: string
  collection_node_id: string
  collection_title: string | null
  name: string
  job_type: string
  payload: Json
  cron: string | null
  every_seconds: number | null
  time_zone: string
  misfire: string
  enabled: boolean
  next_at: string | null
  error_msg: string | null
}

/** `GET {base}/schedules` */
export interface SchedulesBody {
  schedules: readonly Schedule[]
}

/** Something that no worker takes for now. */
export interface Pause {
  type: string | null
  collection_id: string | null
  collection_title: string | null
  may_act: boolean
  paused_by: string | null
  reason: string | null
  since: string
}

/** `GET {base}/pauses` */
export interface PausesBody {
  pauses: readonly Pause[]
}

/** `GET {base}/audit` */
export interface AuditBody {
  entries: readonly AuditRow[]
  next_before: string | null
}

/** `GET {base}/bulk/:id`: preview, progress and receipt. */
export interface BulkBody {
  bulk_id: string
  action: 'retry' | 'cancel'
  filter: unknown
  reason: string | null
  fresh: boolean
  jobs: number
  more: boolean
  created_at: string
  expires_at: string
  done: number
  outcomes: Readonly<Record<string, number>>
  started_at: string | null
  finished_at: string | null
  aborted_at: string | null
}

/** A collection that the reader sees. */
export interface Collection {
  id: string
  title: string | null
  may_act: boolean
}

/** `GET {base}/collections` */
export interface CollectionsBody {
  /** By title, 500 at most. */
  collections: readonly Collection[]
  total: number
}
