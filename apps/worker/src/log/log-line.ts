import type { WorkerEvent } from '@sidelinja/jobs-core/worker'
import { maskFields } from './mask-fields.ts'

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  fields: Record<string, unknown>
}

/** A tick that makes up for many others does not fill a screen. */
const MOST_NAMED = 5

type JobEvent = Extract<WorkerEvent, { jobId: string }>
type ScheduleEvent = Extract<WorkerEvent, { scheduleId: string }>
type ServiceEvent = Extract<WorkerEvent, { service: string }>
type WorkerStateEvent = Exclude<WorkerEvent, JobEvent | ScheduleEvent | ServiceEvent>
type DatabaseEvent = Extract<
  WorkerStateEvent,
  { name: 'database.lost' | 'database.back' | 'wake.mode' | 'pooler.found' | 'connections.few' | 'settle.retried' }
>

const failureEnds = {
  permanent: 'another attempt would not help',
  no_attempts_left: 'no attempts left',
  snoozed_too_often: 'snoozed too often',
  tried_again: 'will be tried again',
}

/** What a worker's event says in the log. Pure. Holds no payload and no result, and credentials are masked. */
export function logLine(event: WorkerEvent): LogLine {
  const line = lineOf(event)
  return { ...line, fields: { event: event.name, ...(maskFields(line.fields) as LogLine['fields']) } }
}

function lineOf(event: WorkerEvent): LogLine {
  if ('jobId' in event) return jobLine(event)
  if ('service' in event) return serviceLine(event)
  return 'scheduleId' in event ? scheduleLine(event) : workerLine(event)
}

function jobLine(event: JobEvent): LogLine {
  const line = describeJob(event)
  return { ...line, fields: { ...jobFields(event), ...line.fields } }
}

function describeJob(event: JobEvent): LogLine {
  switch (event.name) {
    case 'job.started':
      return { level: 'debug', message: 'job started', fields: {} }
    case 'job.progress':
      return { level: 'debug', message: 'job progressed', fields: { fraction: event.fraction, text: event.text } }
    case 'job.completed':
      return { level: 'info', message: 'job completed', fields: { ms: Math.round(event.durationMs) } }
    case 'job.failed':
      return {
        level: event.final ? 'error' : 'warn',
        message: `job failed, ${failureEnds[event.finalReason ?? 'tried_again']}`,
        fields: { ms: Math.round(event.durationMs), retry_at: event.retryAt, ...errorFields(event.error), error_stack: event.error.stack },
      }
    case 'job.snoozed':
      return {
        level: 'info',
        message: 'job snoozed',
        fields: { ms: Math.round(event.durationMs), retry_at: event.retryAt, reason: event.reason },
      }
    case 'job.cancelled':
      return { level: 'info', message: 'job cancelled', fields: { ms: Math.round(event.durationMs) } }
    case 'job.released':
      return { level: 'info', message: 'job handed back', fields: { had_started: event.started } }
    case 'job.gone':
      return { level: 'warn', message: `job ${event.reason} while it ran, nothing was written`, fields: {} }
    case 'job.log':
      return { level: event.level, message: String(maskFields(event.message)), fields: { data: event.fields } }
  }
}

function workerLine(event: WorkerStateEvent): LogLine {
  switch (event.name) {
    case 'worker.started':
      return {
        level: 'info',
        message: 'worker started',
        fields: { worker_id: event.workerId, types: event.types, max_concurrent: event.maxConcurrent },
      }
    case 'worker.draining':
      return { level: 'info', message: 'worker stopping, lets its jobs finish', fields: { running: event.running } }
    case 'worker.stopped':
      return { level: 'info', message: 'worker stopped', fields: {} }
    case 'no.handlers':
      return { level: 'warn', message: 'this build has no handlers: the worker runs and claims nothing', fields: {} }
    case 'role.unbound':
      return {
        level: 'warn',
        message: "row-level security does not bind this worker's role; with --strict-roles it would not start",
        fields: { role: event.role, powers: event.powers },
      }
    case 'lease.lost':
      return {
        level: 'error',
        message: 'lease lost, running jobs are aborted',
        fields: { worker_id: event.workerId, running: event.running },
      }
    case 'loop.blocked':
      return {
        level: 'warn',
        message: 'the event loop stood still: a handler held it, or the process was paused',
        fields: { ms: Math.round(event.blockedMs), job_types: event.jobTypes },
      }
    case 'handler.stuck':
      return {
        level: 'error',
        message: 'a handler was aborted and does not end, its slot is used by others',
        fields: { job_type: event.jobType },
      }
    case 'heartbeat.inline':
      return {
        level: 'warn',
        message: 'no heartbeats from their thread: a handler that blocks may cost the lease',
        fields: errorFields(event.error),
      }
    case 'schedules.failing':
      return { level: 'error', message: 'due schedules cannot be looked for', fields: errorFields(event.error) }
    case 'jobs.forgotten':
      return {
        level: 'error',
        message: 'handed back jobs this worker had lost track of; please report this',
        fields: { job_ids: event.jobIds },
      }
    case 'jobs.rescued':
      return {
        ...(event.jobs > 0
          ? { level: 'warn', message: 'took back the jobs of dead workers' }
          : { level: 'info', message: 'a dead worker had no jobs' }),
        fields: { jobs: event.jobs, workers: event.workers },
      }
    default:
      return databaseLine(event)
  }
}

/** How the worker and the database get along. */
function databaseLine(event: DatabaseEvent): LogLine {
  switch (event.name) {
    case 'database.lost':
      return {
        level: 'error',
        message: 'database unreachable, trying again',
        fields: { during: event.during, ...errorFields(event.error) },
      }
    case 'database.back':
      return { level: 'info', message: 'database reachable again', fields: { ms: Math.round(event.afterMs) } }
    case 'wake.mode':
      return wakeModeLine(event)
    case 'pooler.found':
      return {
        level: 'warn',
        message:
          'the database is reached through a transaction pooler: no LISTEN, no prepared statements; say so with --pooler transaction, or connect past it',
        fields: { sign: event.sign },
      }
    case 'connections.few':
      return {
        level: 'warn',
        message: 'the server allows fewer connections than this worker could use, fewer jobs write at the same time',
        fields: { allowed: event.allowed, wanted: event.wanted, writers: event.writers },
      }
    case 'settle.retried':
      return { level: 'warn', message: 'outcomes are written again', fields: { jobs: event.jobs, ...errorFields(event.error) } }
  }
}

function serviceLine(event: ServiceEvent): LogLine {
  const fields = { service: event.service, job_types: event.jobTypes }
  if (event.name === 'service.back') {
    return { level: 'info', message: 'a service is back, its jobs go on', fields: { ...fields, ms: Math.round(event.afterMs) } }
  }
  const failure = { since: event.since, probe_in_ms: Math.round(event.probeInMs), ...errorFields(event.error) }
  return { level: 'error', message: 'a service is down, its jobs wait', fields: { ...fields, ...failure } }
}

function scheduleLine(event: ScheduleEvent): LogLine {
  switch (event.name) {
    case 'schedule.ticked':
      return {
        level: 'info',
        message: 'schedule ticked',
        fields: {
          ...scheduleFields(event),
          job_ids: event.jobs.slice(-MOST_NAMED).map(({ id }) => id),
          ticks: event.jobs.length,
          last_tick: event.jobs.at(-1)?.at,
          kept: event.jobs.filter(({ outcome }) => outcome === 'kept').length,
          skipped: event.skipped,
        },
      }
    case 'schedule.failed':
      return {
        level: 'error',
        message: event.stopped ? 'schedule stopped: correct it' : 'schedule could not enqueue its job, trying again in a minute',
        fields: { ...scheduleFields(event), ...errorFields(event.error) },
      }
  }
}

function scheduleFields({
  scheduleId,
  schedule,
  scheduledType,
  collectionNodeId,
}: Extract<WorkerEvent, { scheduleId: string }>): Record<string, unknown> {
  return { schedule_id: scheduleId, schedule, job_type: scheduledType, collection: collectionNodeId }
}

const pollingBecause = {
  pooler: 'polls: no notification gets through a transaction pooler',
  lost: 'polls until it can listen for notifications again',
  deaf: 'polls: LISTEN goes through but no notification arrives; if there is a pooler, say --pooler transaction',
} as const

function wakeModeLine({ mode, reason, error }: Extract<WorkerEvent, { name: 'wake.mode' }>): LogLine {
  const fields = { mode, ...(reason && { reason }), ...(error && errorFields(error)) }
  if (reason === null) return { level: 'info', message: 'listens for notifications', fields }
  return { level: reason === 'pooler' ? 'info' : 'warn', message: pollingBecause[reason], fields }
}

function jobFields({ jobId, jobType, collectionNodeId, attempt, run }: JobEvent): Record<string, unknown> {
  return { job_id: jobId, job_type: jobType, collection: collectionNodeId, attempt, run }
}

function errorFields(error: { code: string | null; message: string }): Record<string, unknown> {
  return { error_code: error.code, error: error.message }
}
