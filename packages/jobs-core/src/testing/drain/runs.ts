import type { Job } from '../../admin/get-job.ts'
import type { ErrorDescription } from '../../errors/describe-error.ts'
import type { WorkerEvent } from '../../worker/events.ts'

/** One run that `drain` made, and what became of the job. */
export interface DrainedRun {
  /** The job's id. */
  id: string
  type: string
  /** The attempt's number, from 1. */
  attempt: number
  /** The run's number: more than the attempt's when runs before were handed back. */
  run: number
  /**
   * `completed` · `retry`: it failed and will be tried again · `error`: it failed for good · `snoozed` · `cancelled` · `released`: handed back
   * because the time was over · `gone`: somebody deleted the job, or took it away, while it ran
   */
  outcome: 'completed' | 'retry' | 'error' | 'snoozed' | 'cancelled' | 'released' | 'gone'
  /** Why it is not completed, as it is stored; null when it is. */
  error: ErrorDescription | null
  /** The row right after this run; undefined when it is gone. */
  job: Job | undefined
}

/** What a worker's event says about the end of a run; undefined for events about something else. */
export function endOfRun(event: WorkerEvent): DrainedRun | undefined {
  const end = outcomeOf(event)
  if (!end || !('jobId' in event)) return undefined
  return { id: event.jobId, type: event.jobType, attempt: event.attempt, run: event.run, job: undefined, ...end }
}

function outcomeOf(event: WorkerEvent): Pick<DrainedRun, 'outcome' | 'error'> | undefined {
  switch (event.name) {
    case 'job.completed':
      return { outcome: 'completed', error: null }
    case 'job.failed':
      return { outcome: event.final ? 'error' : 'retry', error: event.error }
    case 'job.snoozed':
      return { outcome: 'snoozed', error: { code: 'SNOOZED', message: event.reason, stack: null } }
    case 'job.cancelled':
      return { outcome: 'cancelled', error: { code: 'CANCELLED', message: 'Cancelled on request.', stack: null } }
    case 'job.released':
      return { outcome: 'released', error: null }
    case 'job.gone':
      return { outcome: 'gone', error: null }
    default:
      return undefined
  }
}

/** `send_mail completed ×3, build_feed retry ×1`. */
export function summarise(runs: readonly DrainedRun[]): string {
  const groups = Map.groupBy(runs, (run) => `${run.type} ${run.outcome}`)
  return [...groups].map(([name, list]) => `${name} ×${list.length}`).join(', ') || 'nothing'
}
