import type { Attempt, EndReason, JobRow } from './wire/bodies.ts'

/** A stretch of a job's life. */
export interface TimelineEntry {
  kind: 'waited' | 'backoff' | 'put_off' | 'handed_back' | 'run' | 'admin_retry' | 'rest'
  /** Stable while the job goes on. */
  key: string
  from: string | null
  /** Null while it lasts. */
  to: string | null
  /** Milliseconds, never negative; of what lasts, until now. Null where it is not known. */
  lengthMs: number | null
  /** Of a run: how it ended, `ok`, or `running`. */
  end?: EndReason | 'ok' | 'running' | 'error' | 'stopped'
  attempt?: number
  run?: number
  workerId?: string | null
  failure?: Attempt
  /** It began because the run before it had lost its worker: what that had done outside the database may be done twice. */
  maybeTwice?: boolean
  /** Of what lasts: until when. */
  until?: string
}

/**
 * A job's life from its making until now, out of its rows: what it waited for between runs is worked out. Pure. Rows of attempts are written only of runs that did
 * not simply succeed, so the newest run comes from the job itself.
 */
export function buildTimeline(job: JobRow, attempts: readonly Attempt[], now: number): TimelineEntry[] {
  const entries: TimelineEntry[] = []
  let since: string | null = job.created_at
  let before: EndReason | undefined
  for (const attempt of attempts.toSorted((a, b) => a.run - b.run || a.ended_at.localeCompare(b.ended_at))) {
    if (attempt.end_reason === 'retried_by_admin') {
      entries.push({
        kind: 'admin_retry',
        key: `admin-${attempt.run}-${attempt.ended_at}`,
        from: attempt.ended_at,
        to: attempt.ended_at,
        lengthMs: 0,
      })
    } else {
      entries.push(...gap(since, attempt, before), runOf(attempt, before))
    }
    since = attempt.ended_at
    before = attempt.end_reason
  }
  return [...entries, ...lastEntries(job, { since, before, now, ranUntil: attempts.reduce((max, { run }) => Math.max(max, run), 0) })]
}

function runOf(attempt: Attempt, before: EndReason | undefined): TimelineEntry {
  const { run, started_at: from, ended_at: to } = attempt
  return {
    ...{ kind: 'run', key: `run-${run}`, from, to, lengthMs: length(from, to), end: attempt.end_reason, attempt: attempt.attempt, run },
    ...{ workerId: attempt.worker_id, failure: attempt, maybeTwice: before === 'lease_expired' },
  }
}

interface Rest {
  since: string | null
  before: EndReason | undefined
  now: number
  ranUntil: number
}

/** What the job's own row says: the run that goes on or ended well, or what it waits for. */
function lastEntries(job: JobRow, { since, before, now, ranUntil }: Rest): TimelineEntry[] {
  const { status, started_at, completed_at, run } = job
  const own = { attempt: job.attempts, run, workerId: job.worker_id, maybeTwice: before === 'lease_expired' }
  if (status === 'running' && started_at !== null) {
    const lengthMs = Math.max(0, now - Date.parse(started_at))
    return [...gap(since, job, before), { kind: 'run', key: `run-${run}`, from: started_at, to: null, lengthMs, end: 'running', ...own }]
  }
  if (status === 'pending' || status === 'retry') {
    const lengthMs = since === null ? null : Math.max(0, now - Date.parse(since))
    const until = Date.parse(job.scheduled_for) > now ? { until: job.scheduled_for } : {}
    return [{ kind: gapKind(before), key: 'waits', from: since, to: null, lengthMs, ...until }]
  }
  const ended = { key: `run-${run}`, from: started_at, to: completed_at, lengthMs: length(started_at, completed_at), ...own }
  if (run <= ranUntil || started_at === null) return [{ kind: 'rest', key: 'rest', from: completed_at, to: completed_at, lengthMs: 0 }]
  const end = status === 'completed' ? 'ok' : status === 'cancelled' ? 'stopped' : 'error'
  return [...gap(since, job, before), { kind: 'run', end, ...ended }]
}

/** What was waited before a run. */
function gap(
  from: string | null,
  { run, started_at: to }: Pick<Attempt, 'run' | 'started_at'>,
  before: EndReason | undefined,
): TimelineEntry[] {
  if (from === null || to === null) return []
  return [{ kind: gapKind(before), key: `before-${run}`, from, to, lengthMs: length(from, to) }]
}

function gapKind(before: EndReason | undefined): TimelineEntry['kind'] {
  if (before === 'failed' || before === 'timeout') return 'backoff'
  if (before === 'snoozed') return 'put_off'
  return before === 'lease_expired' || before === 'interrupted' ? 'handed_back' : 'waited'
}

function length(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))
}
