import type { WorkerEvent } from '@sidelinja/jobs-core/worker'
import type { JobStatusUpdate } from './status-sink.ts'

type JobEvent = Extract<WorkerEvent, { jobId: string }>
type Standing = Pick<JobStatusUpdate, 'status' | 'attempt' | 'progress' | 'message'>

/** What an event means for who watches jobs. */
export type StatusChange =
  /** `ended`: the run is over; this worker says no more about it. */
  | { kind: 'update'; update: JobStatusUpdate; ended: boolean }
  /** The job is another worker's now, which speaks for it. */
  | { kind: 'forget'; jobId: string }
  /** So are all that run here. */
  | { kind: 'forget_running' }

const maxMessageLength = 200

/** Reads what an event says about a job's status; undefined when it says nothing. Pure. */
export function readEvent(event: WorkerEvent, updatedAt: Date): StatusChange | undefined {
  if (event.name === 'lease.lost') return { kind: 'forget_running' }
  if (!('jobId' in event)) return undefined
  const { jobId, collectionNodeId, jobType, maxAttempts } = event
  if (event.name === 'job.gone' && event.reason === 'lost') return { kind: 'forget', jobId }
  const standing = standingAfter(event)
  if (standing === undefined) return undefined
  const update = { jobId, collectionNodeId, jobType, ...standing, maxAttempts, updatedAt }
  return { kind: 'update', update, ended: standing.status !== 'running' }
}

function standingAfter(event: JobEvent): Standing | undefined {
  const { attempt } = event
  switch (event.name) {
    case 'job.started':
      return { status: 'running', attempt, progress: 0, message: 'Kjører' }
    case 'job.progress':
      return { status: 'running', attempt, progress: event.fraction, message: shortened(event.text) || 'Kjører' }
    case 'job.completed':
      return { status: 'completed', attempt, progress: 1, message: 'Ferdig' }
    case 'job.failed':
      if (event.final) return { status: 'error', attempt, progress: 0, message: 'Feilet' }
      return { status: 'retry', attempt, progress: 0, message: 'Prøver igjen' }
    case 'job.snoozed':
      return handedBack(attempt)
    case 'job.released':
      // One that never started was never said to run.
      return event.started ? handedBack(attempt) : undefined
    case 'job.cancelled':
      return { status: 'cancelled', attempt, progress: 0, message: 'Avbrutt' }
    case 'job.gone':
      return { status: 'cancelled', attempt, progress: 0, message: 'Slettet' }
    case 'job.log':
      return undefined
  }
}

/** The attempt is not charged, and the status is that of a job with as many as are left. */
function handedBack(attempt: number): Standing {
  return { status: attempt <= 1 ? 'pending' : 'retry', attempt: Math.max(0, attempt - 1), progress: 0, message: 'Venter' }
}

function shortened(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, maxMessageLength).toWellFormed()
}
