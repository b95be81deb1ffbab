import { AssertionError } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../../database/queryable.ts'
import { ABORT_GRACE_MS } from '../../worker/active-run.ts'
import type { Handler } from '../../worker/define-handler.ts'
import type { OnWorkerEvent, WorkerEvent } from '../../worker/events.ts'
import { moveClock } from '../clock/move-clock.ts'
import { builder, readRows } from '../read-rows.ts'
import { type Connections, workerConnections } from '../server/connections.ts'
import { type DrainSession, openDrainSession } from './drain-session.ts'
import { keepThrown } from './keep-thrown.ts'
import { selectNextDue } from './next-due.ts'
import { type DrainOptions, type DrainSettings, resolveDrainOptions } from './options.ts'
import { type DrainedRun, endOfRun, summarise } from './runs.ts'

/** A due job that cannot be claimed is locked by somebody, or was enqueued a moment ago. */
const lockedMs = 10

interface Drain {
  db: Queryable
  session: DrainSession
  settings: DrainSettings
  runs: DrainedRun[]
  started: number
  /** How far the clock may still be moved. */
  travelMs: number
  late: boolean
}

/**
 * Runs everything that is due, follow-ups and ticks of schedules that are enqueued meanwhile included, until nothing is, and says what ran, in the order it
 * ended. A job's life is the same as in a worker (claim, payload check, steps, `write`, backoff); nothing waits, listens or polls. Types
 * without a handler are left alone, and so are jobs that run elsewhere.
 *
 * ```ts
 * const runs = await drain(db, [welcomeHandler, mailHandler])
 * assert.deepEqual(runs.map(({ type, outcome }) => [type, outcome]), [['welcome', 'completed'], ['send_mail', 'completed']])
 * ```
 *
 * @param db what has connections of its own: a test database, a Kysely instance or a `pg` pool. Handlers get its transactions.
 * @throws AssertionError when it has not come to an end after `maxRuns` runs or `timeoutMs`, and with `failFast` when a run fails, with
 * what the handler threw as its `cause` · ConfigurationError `TEST_OPTION_INVALID`, `TEST_CONNECTION_SINGLE`, `DUPLICATE_TYPE`
 */
export async function drain(db: Connections, handlers: readonly Handler[], options: DrainOptions = {}): Promise<DrainedRun[]> {
  const settings = resolveDrainOptions(options)
  const connections = workerConnections(db, 'drain')
  const runs: DrainedRun[] = []
  const { watched, thrownBy } = keepThrown(handlers)
  const session = await openDrainSession(connections, watched, {
    ...settings,
    emit(event) {
      const ended = endOfRun(event)
      if (ended) runs.push(ended)
      tell(settings.onEvent, event)
    },
  })
  const drain: Drain = { db: connections.writer, session, settings, runs, started: 0, travelMs: settings.travelMs, late: false }
  await withinTime(drain, runAll(drain).finally(session.close))
  const failed = settings.failFast ? runs.find(isFailure) : undefined
  if (failed) {
    const message = `drain: ${failed.type} ${failed.id} failed on attempt ${failed.attempt}: ${failed.error?.message}`
    throw Object.assign(new AssertionError({ message, operator: 'drain' }), { cause: thrownBy(failed) })
  }
  return runs
}

async function runAll(drain: Drain): Promise<void> {
  const { session, settings, runs } = drain
  const running = new Set<Promise<void>>()
  await session.tick()
  while (!drain.late && !(settings.failFast && runs.some(isFailure))) {
    const free = Math.min(settings.maxConcurrent - running.size, settings.maxRuns - drain.started)
    const claimed = free > 0 ? await session.claim(free) : []
    drain.started += claimed.length
    for (const job of claimed) {
      const ended = runOne(drain, job).finally(() => running.delete(ended))
      running.add(ended)
    }
    if (running.size > 0) await Promise.race(running)
    else if (!(await goOn(drain))) return
  }
  await Promise.all(running)
}

async function runOne({ db, session, runs }: Drain, job: Parameters<DrainSession['run']>[0]): Promise<void> {
  await session.run(job)
  const ended = runs.findLast((run) => run.id === job.id && run.run === job.run)
  if (ended) [ended.job] = await readRows(db, builder().selectFrom('job_queue').selectAll().where('id', '=', job.id).compile())
}

/** With nothing to claim and nothing running: false when that is the end, else waits or moves the clock. */
async function goOn(drain: Drain): Promise<boolean> {
  if ((await drain.session.tick()) > 0) return true
  // A schedule never comes to an end, so the clock moves to its ticks only when it is said how far.
  const withTicks = Number.isFinite(drain.travelMs) && drain.travelMs > 0
  const [next] = await readRows(drain.db, selectNextDue(drain.session.types, withTicks))
  const inMs = next?.in_ms == null ? undefined : Math.ceil(Number(next.in_ms))
  const isNear = inMs !== undefined && inMs <= drain.travelMs
  if (isNear && drain.started >= drain.settings.maxRuns) throw tooMany(drain, next?.due ?? 0)
  if (inMs !== undefined && inMs <= 0) {
    await sleep(lockedMs)
    return true
  }
  const byMs = isNear ? inMs : Number.isFinite(drain.travelMs) ? drain.travelMs : 0
  if (byMs > 0) await readRows(drain.db, moveClock(byMs))
  drain.travelMs -= byMs
  return isNear
}

/** Aborts what runs when the time is over; and does not wait for ever for a statement that somebody's lock holds up. */
async function withinTime(drain: Drain, work: Promise<void>): Promise<void> {
  const { timeoutMs } = drain.settings
  const stop = new AbortController()
  const over = sleep(timeoutMs, undefined, { signal: stop.signal }).then(() => {
    drain.late = true
    drain.session.abort()
    return sleep(ABORT_GRACE_MS * 2, undefined, { signal: stop.signal })
  })
  try {
    await Promise.race([work, over])
  } finally {
    stop.abort()
    over.catch(() => {})
  }
  if (drain.late) {
    const message = `drain did not come to an end within ${timeoutMs} ms. Ended so far: ${summarise(drain.runs)}. A handler hangs, or somebody holds the lock of a job.`
    throw new AssertionError({ message, operator: 'drain' })
  }
}

function tooMany({ runs, settings }: Drain, due: number): AssertionError {
  const message = `drain did not come to an end after ${settings.maxRuns} runs, and ${due} jobs are due: ${summarise(runs)}. Does a job enqueue itself? Raise maxRuns, or give withScheduled a length of time.`
  return new AssertionError({ message, operator: 'drain' })
}

/** A listener that throws must not take the run with it. */
function tell(onEvent: OnWorkerEvent, event: WorkerEvent): void {
  try {
    onEvent(event)
  } catch {
    // As a worker ignores it.
  }
}

function isFailure({ outcome }: DrainedRun): boolean {
  return outcome === 'retry' || outcome === 'error'
}
