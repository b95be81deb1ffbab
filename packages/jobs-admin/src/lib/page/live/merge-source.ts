import type { JobRow, JobsBody } from '../wire/bodies.ts'
import type { SourceName } from '../wire/page-data.ts'
import { mergeRows } from './merge-rows.ts'

/** A source's body after a new answer, and what that says about the list. */
export interface MergedSource {
  body: unknown
  fresh?: number
  left?: readonly string[]
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
    const { rows, fresh } = mergeRows(rowsOf(shown, 'entries'), rowsOf(answer, 'entries'), { keyOf: keyBy(['id']) })
    return { body: { ...(shown as object), entries: rows }, fresh: fresh.length }
  }
  const list = whole[name]
  if (!list) return { body: answer }
  const { rows } = mergeRows(rowsOf(shown, list.field), rowsOf(answer, list.field), { keyOf: keyBy(list.key), whole: true })
  return { body: { ...(answer as object), [list.field]: rows } }
}

function mergedJobs(shown: JobsBody, answer: JobsBody): MergedSource {
  // Nothing at all any more: so it is when somebody has lost their access.
  if (answer.jobs.length === 0 && answer.next_cursor === null) return { body: answer, fresh: 0, left: [] }
  const { rows, fresh, left } = mergeRows(shown.jobs, answer.jobs, { keyOf: (job) => job.id })
  const newest = shown.jobs[0]
  const isNewer = (job: JobRow) =>
    newest === undefined || job.created_at > newest.created_at || (job.created_at === newest.created_at && job.id > newest.id)
  const end = answer.next_cursor === null ? undefined : answer.jobs.at(-1)
  // Older than the answer's last: pushed out by newer ones, and not looked at.
  const gone = left.filter((job) => end === undefined || job.created_at > end.created_at)
  return { body: { ...shown, jobs: rows }, fresh: fresh.filter(isNewer).length, left: gone.map((job) => job.id) }
}

function rowsOf(body: unknown, field: string): readonly Rows[] {
  return (body as Readonly<Record<string, readonly Rows[]>>)[field] ?? []
}

function keyBy(names: readonly string[]): (row: Rows) => string {
  return (row) => JSON.stringify(names.map((name) => row[name]))
}
