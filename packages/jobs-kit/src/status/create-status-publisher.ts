import type { OnWorkerEvent, WorkerEvent } from '@sidelinja/jobs-core/worker'
import { createSender } from './create-sender.ts'
import type { PaceLimits } from './pace.ts'
import { createPendingStatuses } from './pending-statuses.ts'
import { readEvent, type StatusChange } from './read-event.ts'
import type { ShortReport, StatusReport } from './status-report.ts'
import type { StatusSink } from './status-sink.ts'

/** How much a publisher asks of a sink. */
export interface StatusLimits extends PaceLimits {
  /** For one call. */
  timeoutMs: number
  /** How many jobs may wait to be sent. */
  maxPending: number
  /** How long `close` sends what is left. */
  flushMs: number
}

const standardLimits: StatusLimits = {
  ...{ timeoutMs: 1_000, maxPending: 1_000, flushMs: 1_000 },
  ...{ maxInFlight: 4, minIntervalMs: 50, firstPauseMs: 1_000, maxPauseMs: 60_000 },
}

/** What {@link createStatusPublisher} is given. */
export interface StatusPublisherOptions {
  /** Where statuses go. */
  sink: StatusSink
  /** Default: nobody is told. */
  onReport?: ((report: StatusReport) => void) | undefined
  /** Default: 1 s for a call, 4 calls at a time and 20 a second, 1,000 jobs, pauses of 1 s to 1 min, 1 s for the rest. */
  limits?: Partial<StatusLimits> | undefined
}

/** Tells a sink how jobs stand. */
export interface StatusPublisher {
  /** For the worker's `onEvent`. Takes a few microseconds, never throws and waits for nothing. */
  readonly onEvent: OnWorkerEvent
  /** After the worker has stopped: sends what is left, for `flushMs` at most and not while the service is down. Never rejects. */
  close(): Promise<void>
}

/**
 * Makes a publisher: the newest status of each job, in order, as fast as the sink may be asked. It is best effort: nothing is stored, and what a
 * worker that is killed had not sent is lost. A sink that is slow, down or refuses everything costs no job anything.
 */
export function createStatusPublisher({ sink, onReport, limits: given }: StatusPublisherOptions): StatusPublisher {
  const limits = { ...standardLimits, ...given }
  const pending = createPendingStatuses(limits.maxPending)
  const sender = createSender({ sink, pending, limits, report })
  let closing: Promise<void> | undefined
  let full = false
  let lastMs = 0

  function report(about: ShortReport): void {
    try {
      onReport?.({ ...about, sink: sink.name, dropped: pending.dropped() + sender.givenUp() })
    } catch {
      // Nobody is left to tell.
    }
  }

  function onEvent(event: WorkerEvent): void {
    if (closing) return
    // A clock that is set back must not make a later status look older.
    const change = readEvent(event, new Date(Math.max(lastMs, Date.now())))
    if (change?.kind === 'forget_running') pending.forgetRunning()
    else if (change?.kind === 'forget') pending.forget(change.jobId)
    else if (change) put(change)
  }

  function put(change: StatusChange & { kind: 'update' }): void {
    lastMs = change.update.updatedAt.getTime()
    if (pending.size() === 0) full = false
    const before = pending.dropped()
    pending.put(change.update, change.ended)
    if (pending.dropped() > before && !full) {
      full = true
      // While the service is down that is no news.
      if (!sender.isDown()) report({ name: 'sink.full' })
    }
    sender.soon()
  }

  async function end(): Promise<void> {
    const unsent = await sender.flush(limits.flushMs)
    if (unsent > 0) report({ name: 'sink.left', unsent })
  }

  return {
    onEvent,
    close() {
      closing ??= end()
      return closing
    },
  }
}
