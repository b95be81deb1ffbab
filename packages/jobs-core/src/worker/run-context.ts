import type { JsonValue } from '../json/json-value.ts'
import { saveProgress } from '../queue/save-progress.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import type { ActiveRun } from './active-run.ts'
import type { HandlerContext, JobLog, RunningJob } from './define-handler.ts'
import { jobFields } from './job-fields.ts'
import type { Runtime } from './runtime.ts'
import { createSteps, type Steps } from './steps.ts'

const progressIntervalMs = 1_000
const maxProgressTextLength = 200

/** One run's surroundings: what its handler gets, and what the worker needs to end it. */
export interface RunContext {
  forHandler(payload: unknown): HandlerContext<unknown>
  /** False only when the job cannot have stored steps: a first attempt that never called `step`. */
  mayHaveSteps(): boolean
  close(): void
}

/** A short job asks for little of it: each part is made when it is first asked for. */
export function createContext(runtime: Runtime, run: ActiveRun): RunContext {
  const { job } = run
  let steps: Steps | undefined
  let progress: Progress | undefined
  let closed = false
  const step = <T extends JsonValue>(name: string, fn: () => Promise<T>) => {
    steps ??= createSteps(runtime, run)
    return steps.run(name, fn)
  }
  const report = (fraction: number, text?: string) => {
    progress ??= createProgress(runtime, run)
    progress.report(fraction, text)
    // A handler that goes on after its end was given up.
    if (closed) progress.close()
  }
  return {
    forHandler: (payload) => ({
      payload,
      get job() {
        return runningJob(job)
      },
      get signal() {
        return run.signal
      },
      progress: report,
      step,
      get log() {
        return createLog(runtime, run)
      },
    }),
    mayHaveSteps: () => job.run > 1 || steps?.used() === true,
    close() {
      closed = true
      progress?.close()
    },
  }
}

function runningJob(job: ClaimedJob): RunningJob {
  return {
    id: job.id,
    type: job.job_type,
    collectionNodeId: job.collection_node_id,
    attempt: job.attempts,
    maxAttempts: job.max_attempts,
    run: job.run,
    priority: job.priority,
    createdAt: dateOf(job.created_ms),
    scheduledFor: dateOf(job.scheduled_ms),
    correlationId: job.correlation_id,
  }
}

/** As far back and ahead as a date goes: PostgreSQL knows infinity. */
function dateOf(ms: number): Date {
  return new Date(Math.max(-8.64e15, Math.min(ms, 8.64e15)))
}

interface Progress {
  report(fraction: number, text?: string): void
  close(): void
}

/** Writes the newest progress at most once a second, and never makes a handler wait or fail. */
function createProgress(runtime: Runtime, run: ActiveRun): Progress {
  let newest: { fraction: number; text: string | null } | undefined
  let timer: NodeJS.Timeout | undefined
  let writtenAt = Number.NEGATIVE_INFINITY
  let closed = false
  const write = () => {
    timer = undefined
    if (newest === undefined || run.cause === 'lease_lost') return
    writtenAt = performance.now()
    const written = newest
    newest = undefined
    saveProgress(runtime.queue, { id: run.job.id, run: run.job.run, ...written })
      .then(() => {
        // Nobody shall hear of progress after the run's end.
        if (!closed && run.cause !== 'lease_lost') runtime.emit({ name: 'job.progress', ...written, ...jobFields(run.job) })
      })
      .catch(() => {})
  }
  return {
    report(fraction, text) {
      const clamped = Number.isFinite(fraction) ? Math.min(Math.max(fraction, 0), 1) : 0
      newest = { fraction: clamped, text: text?.toWellFormed().replaceAll('\0', '').slice(0, maxProgressTextLength) ?? null }
      timer ??= setTimeout(write, Math.max(0, writtenAt + progressIntervalMs - performance.now()))
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

function createLog(runtime: Runtime, run: ActiveRun): JobLog {
  const at =
    (level: keyof JobLog) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      runtime.emit({ name: 'job.log', level, message, fields, ...jobFields(run.job) })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
