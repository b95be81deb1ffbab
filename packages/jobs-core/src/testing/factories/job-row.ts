import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { JobQueueTable, JobStatus } from '../../database/tables.ts'
import { type JsonColumn, jsonText } from './json-text.ts'

type Columns = Insertable<JobQueueTable>

/** Columns of a job, by their names in the table. */
export type JobColumns = Partial<Omit<Columns, 'payload' | 'result'>> & {
  /** An object, or JSON text. Default: an empty object. */
  payload?: JsonColumn
  /** An object, or JSON text. Default: null. */
  result?: JsonColumn | null
}

type Times = 'created_at' | 'started_at' | 'completed_at' | 'scheduled_for'

/** A whole row; a time that is undefined is the moment of the insert. */
export interface JobRow extends Omit<Columns, 'collection_node_id' | Times> {
  status: JobStatus
  attempts: number
  max_attempts: number
  run: number
  unique_held: boolean
  created_at: Date | string | undefined
  started_at: Date | null | undefined
  completed_at: Date | null | undefined
  scheduled_for: Date | string | undefined
}

const waits: readonly JobStatus[] = ['pending', 'retry']
const isFinal = (status: JobStatus) => ['completed', 'error', 'cancelled'].includes(status)

/** What else must be so when a job has the columns that were given: a row the queue itself could have left. */
export function completeJob(columns: JobColumns): JobRow {
  const status = columns.status ?? 'pending'
  const maxAttempts = columns.max_attempts ?? Math.max(3, (columns.attempts ?? 0) + (status === 'retry' ? 1 : 0))
  const attempts = columns.attempts ?? defaultAttempts(status, columns.run, maxAttempts)
  const run = columns.run ?? attempts
  return {
    job_type: 'test_job',
    ...columns,
    ...completeKey(status, columns),
    ...completeTimes(status, run, columns),
    payload: jsonText(columns.payload ?? {}),
    result: columns.result === undefined || columns.result === null ? null : jsonText(columns.result),
    error_msg: columns.error_msg === undefined ? defaultError(status) : columns.error_msg,
    worker_id: columns.worker_id === undefined && run > 0 ? randomUUID() : (columns.worker_id ?? null),
    ...{ status, attempts, max_attempts: maxAttempts, run },
  }
}

function defaultAttempts(status: JobStatus, run: number | undefined, maxAttempts: number): number {
  if (status === 'error') return Math.min(run ?? maxAttempts, maxAttempts)
  if (status === 'pending' || status === 'cancelled') return 0
  return Math.min(run ?? 1, status === 'retry' ? maxAttempts - 1 : maxAttempts)
}

function defaultError(status: JobStatus): string | null {
  if (status === 'cancelled') return 'Cancelled on request.'
  return status === 'error' || status === 'retry' ? FAILURE : null
}

/** What a job says that has failed without anybody saying why. */
export const FAILURE = 'It failed, as the test wants it.'

/** A key that was given is held as long as the queue would hold it. */
function completeKey(status: JobStatus, columns: JobColumns): Pick<Columns, 'unique_key' | 'unique_until'> & { unique_held: boolean } {
  const key = columns.unique_key ?? null
  const until = columns.unique_until ?? (key === null ? null : 'claimed')
  const holds = key !== null && (waits.includes(status) || (status === 'running' && until === 'finished'))
  return { unique_key: key, unique_until: until, unique_held: columns.unique_held ?? holds }
}

/** In order: nothing begins before it was made, or ends before it has begun. */
function completeTimes(status: JobStatus, run: number, columns: JobColumns): Pick<JobRow, Times> {
  const completedAt = columns.completed_at === undefined ? (isFinal(status) ? undefined : null) : columns.completed_at
  const startedAt = columns.started_at === undefined ? (run > 0 ? (completedAt ?? undefined) : null) : columns.started_at
  const createdAt = columns.created_at ?? startedAt ?? completedAt ?? undefined
  return {
    created_at: createdAt,
    started_at: startedAt,
    completed_at: completedAt,
    scheduled_for: columns.scheduled_for ?? (waits.includes(status) ? undefined : createdAt),
  }
}
