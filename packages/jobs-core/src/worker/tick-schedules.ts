import type { QueueConnection } from '../database/queue-connection.ts'
import { isConnectionLoss, isContention } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import { isJobsError } from '../errors/jobs-error.ts'
import { type DueSchedule, findDueSchedules } from '../queue/find-due-schedules.ts'
import { stopSchedule } from '../queue/stop-schedule.ts'
import { type Ticked, tickSchedule } from '../queue/tick-schedule.ts'
import { checkTiming } from '../schedule/check-timing.ts'
import { type DueTicks, dueTicks } from '../schedule/due-ticks.ts'
import type { Timing } from '../schedule/timing.ts'
import type { OnWorkerEvent } from './events.ts'

const perLook = 100
/** A schedule whose jobs the database refuses is left alone for so long. */
const failedForMs = 60_000

export interface TickParts {
  queue: QueueConnection
  emit: OnWorkerEvent
  /** Schedules that failed here, and until when (`performance.now()`) they are left alone. */
  failed: Map<string, number>
}

/** What there was to do, and when there will be more. */
export interface TickedSchedules {
  /** How many jobs are new. */
  created: number
  /** Null: no schedule waits for a tick. */
  nextInMs: number | null
}

/**
 * Enqueues what is due of every schedule, each in a statement of its own, so that one that fails or waits for a lock holds up none.
 * @throws what the driver throws while the database is away: nothing is lost, somebody looks again
 */
export async function tickSchedules(parts: TickParts, stopped: () => boolean = () => false): Promise<TickedSchedules> {
  const { queue, failed } = parts
  /** Somebody else has it just now: once in a look is enough. */
  const passed = new Set<string>()
  for (let created = 0; ; ) {
    for (const [id, until] of failed) if (until < performance.now()) failed.delete(id)
    const { nowMs, nextInMs, due } = await findDueSchedules(queue, [...failed.keys(), ...passed], perLook)
    if (due.length === 0) return { created, nextInMs }
    for (const schedule of due) {
      if (stopped()) return { created, nextInMs }
      const jobs = await tickOne(parts, schedule, nowMs)
      if (jobs === undefined) passed.add(schedule.id)
      created += jobs?.filter(({ outcome }) => outcome === 'created').length ?? 0
    }
  }
}

/** Undefined when the schedule is as it was. */
async function tickOne(parts: TickParts, schedule: DueSchedule, nowMs: number): Promise<Ticked[] | undefined> {
  const due = await compute(parts, schedule, nowMs)
  return due && enqueueTicks(parts, schedule, due)
}

/** Undefined when the schedule says nothing that can be understood: it was not made by `upsertSchedule`. */
async function compute(parts: TickParts, schedule: DueSchedule, nowMs: number): Promise<DueTicks | undefined> {
  const { id, revision, name, starts_at_ms, counts_from_ms, next_at_ms, misfire } = schedule
  try {
    const timing = checkTiming(timingOf(schedule), `schedule ${name}`)
    return dueTicks({ timing, startsAtMs: starts_at_ms, countsFromMs: counts_from_ms, nextAtMs: next_at_ms, misfire, nowMs })
  } catch (cause) {
    if (!isJobsError(cause)) return fail(parts, schedule, cause)
    const error = describeError(cause)
    if (await stopSchedule(parts.queue, { id, revision, reason: error.message })) {
      parts.emit({ name: 'schedule.failed', ...fields(schedule), stopped: true, error })
    }
    return undefined
  }
}

async function enqueueTicks(parts: TickParts, schedule: DueSchedule, due: DueTicks): Promise<Ticked[] | undefined> {
  const { queue, emit } = parts
  const { id, revision } = schedule
  const ticks = due.ticks.map((ms) => new Date(ms))
  try {
    const ticked = await tickSchedule(queue, { id, revision, ticks, nextAt: due.nextAtMs === null ? null : new Date(due.nextAtMs) })
    const jobs = ticked?.map(({ tick_at, job_id, outcome }) => ({ at: tick_at, id: job_id, outcome }))
    if (jobs && jobs.length + due.skipped > 0) emit({ name: 'schedule.ticked', ...fields(schedule), jobs, skipped: due.skipped })
    return ticked
  } catch (cause) {
    if (isConnectionLoss(cause)) throw cause
    // Somebody holds its unique key in a transaction that is open: it stays due.
    return isContention(cause) ? undefined : fail(parts, schedule, cause)
  }
}

function fail({ emit, failed }: TickParts, schedule: DueSchedule, cause: unknown): undefined {
  failed.set(schedule.id, performance.now() + failedForMs)
  emit({ name: 'schedule.failed', ...fields(schedule), stopped: false, error: describeError(cause) })
}

function timingOf({ cron, every_seconds, time_zone: timeZone }: DueSchedule): Timing {
  return { cron: cron ?? undefined, everySeconds: every_seconds ?? undefined, timeZone }
}

function fields({ id, name, job_type, collection_node_id }: DueSchedule) {
  return { scheduleId: id, schedule: name, scheduledType: job_type, collectionNodeId: collection_node_id }
}
