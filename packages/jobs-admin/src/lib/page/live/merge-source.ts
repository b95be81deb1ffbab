import type { JobRow, JobsBody } from '../wire/bodies.ts'
import type { BulkBody } from '../wire/more-bodies.ts'
import type { SourceName } from '../wire/page-data.ts'
import { mergeRows } from './merge-rows.ts'

/** A source's body after a new answer, and what that says about the list. */
export interface MergedSource {
  body: unknown
  fresh?: number
  left?: readonly string[]
  /** Shown rows that the answer does not have, for whatever reason. */
  missing?: readonly string[]
}

type Rows = Readonly<Record<string, unknown>>

/** Lists that are short enough to be whole: what is gone goes, what is new comes at the end. */
const whole: Partial<Record<SourceName, { field: string; key: readonly string[] }>> = {
  errors: { field: 'groups', key: ['type', 'error_group'] },
  workers: { field: 'workers', key: ['id'] },
  schedules: { field: 'schedules', key: ['id'] },
  pauses: { field: 'pauses', key: ['type', 'collection_id'] },
}

/** Puts a new answer into what is shown. Pure. */
export function merged(name: SourceName, shown: unknown, answer: unknown): MergedSource {
  if (shown === null) return { body: answer }
  if (name === 'jobs') return mergedJobs(shown as JobsBody, answer as JobsBody)
  if (name === 'audit') {
    const newest = rowsOf(answer, 'entries')
    const { rows, fresh, left } = mergeRows(rowsOf(shown, 'entries'), newest, { keyOf: keyBy(['id']) })
    // Nothing goes out of the log by itself: somebody has lost their access to some of it.
    if (left.length > fresh.length || newest.length === 0 || rows.length === 0) return { body: answer, fresh: 0 }
    return { body: { ...(shown as object), entries: rows }, fresh: fresh.length }
  }
  if (name === 'bulk') return { body: further(shown as BulkBody, answer as BulkBody) }
  const list = whole[name]
  if (!list) return { body: answer }
  const { rows } = mergeRows(rowsOf(shown, list.field), rowsOf(answer, list.field), { keyOf: keyBy(list.key), whole: true })
  return { body: { ...(answer as object), [list.field]: rows } }
}

/** An answer that was on its way while another was sooner must not turn progress back. */
function further(shown: BulkBody, answer: BulkBody): BulkBody {
  return shown.bulk_id === answer.bulk_id && shown.done > answer.done ? shown : answer
}

function mergedJobs(shown: JobsBody, answer: JobsBody): MergedSource {
  // Nothing at all any more: so it is when somebody has lost their access. Where nothing is shown, nothing can be pushed away by what is new.
  if (shown.jobs.length === 0 || (answer.jobs.length === 0 && answer.next_cursor === null))
    return { body: answer, fresh: 0, left: [], missing: [] }
  const { rows, fresh, left } = mergeRows(shown.jobs, answer.jobs, { keyOf: (job) => job.id })
  const newest = shown.jobs[0]
  const isNewer = (job: JobRow) =>
    newest === undefined || job.created_at > newest.created_at || (job.created_at === newest.created_at && job.id > newest.id)
  const end = answer.next_cursor === null ? undefined : answer.jobs.at(-1)
  // Older than the answer's last: pushed out by newer ones, and not looked at.
  const gone = left.filter((job) => end === undefined || job.created_at > end.created_at)
  const ids = (jobs: readonly JobRow[]) => jobs.map(({ id }) => id)
  return { body: { ...shown, jobs: rows }, fresh: fresh.filter(isNewer).length, left: ids(gone), missing: ids(left) }
}

function rowsOf(body: unknown, field: string): readonly Rows[] {
  return (body as Readonly<Record<string, readonly Rows[]>>)[field] ?? []
}

function keyBy(names: readonly string[]): (row: Rows) => string {
  return (row) => JSON.stringify(names.map((name) => row[name]))
}
