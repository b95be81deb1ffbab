import type { ExplainBody, JobBody, JobsBody, RawBody } from './bodies.ts'
import type {
  ActivityBody,
  AuditBody,
  BulkBody,
  CollectionsBody,
  CountsBody,
  ErrorsBody,
  PausesBody,
  SchedulesBody,
  WorkersBody,
} from './more-bodies.ts'
import type { ResultBody } from './result-body.ts'

/** Everything that has an address of its own. */
export type ScreenName = 'overview' | 'jobs' | 'job' | 'errors' | 'schedules' | 'workers' | 'audit' | 'pauses' | 'bulk' | 'missing'

/** What went wrong, as the endpoints say it. */
export interface ProblemBody {
  status: number
  code: string
  detail: string
  correlation_id?: string
}

/** An endpoint's answer, and where to ask again. */
export interface Source<Body> {
  /** Path and query, for `fetch`. */
  path: string
  etag: string | null
  body: Body | null
  problem: ProblemBody | null
}

/** Answers by name. */
export interface Bodies {
  jobs: JobsBody
  counts: CountsBody
  activity: ActivityBody
  job: JobBody
  explain: ExplainBody
  result: ResultBody
  raw: RawBody
  errors: ErrorsBody
  workers: WorkersBody
  schedules: SchedulesBody
  pauses: PausesBody
  audit: AuditBody
  bulk: BulkBody
  collections: CollectionsBody
}

/** The name of an answer. */
export type SourceName = keyof Bodies

/** The answers that a screen shows. */
export type Sources = { [Name in SourceName]?: Source<Bodies[Name]> }

/** What is remembered of a reader in a cookie. */
export interface Prefs {
  lang: 'nb' | 'nn' | 'en'
  theme: 'auto' | 'light' | 'dark'
  /** Columns of the list; empty: the usual ones. */
  columns: readonly string[]
  /** Whether single keys do something. */
  keys: boolean
  timeZone: string
}

/** What the page is made of: what `load` gives, below the name `jobs`. */
export interface JobsPageData {
  screen: ScreenName
  /** Where the page lies, like `/admin/jobs`. */
  base: string
  /** Where actions are posted, like `/intentions`. */
  intentions: string
  /** Of the screen: below `base`, without a query. */
  path: string
  /** The query string without its `?`. */
  query: string
  /** The server's clock. */
  now: string
  prefs: Prefs
  /** Whether the reader may act at all; on which jobs is said beside each. */
  mayAct: boolean
  sources: Sources
}

/** What a form action came to. */
export interface ActionOutcome {
  action: string
  /** Undefined where it was refused. */
  done?: { status?: string; job_id?: string; resumed?: boolean }
  problem?: ProblemBody
}
