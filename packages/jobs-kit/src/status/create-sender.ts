import { describeError } from '@sidelinja/jobs-core/worker'
import { isUpstreamError } from '../http/upstream-error.ts'
import { begun, failed, freshPace, nextCallInMs, type PaceLimits, succeeded } from './pace.ts'
import type { PendingStatus, PendingStatuses } from './pending-statuses.ts'
import { sendWithin } from './send-within.ts'
import type { ShortReport } from './status-report.ts'
import type { StatusSink } from './status-sink.ts'

/** An update is sent so often when the service refuses just that one. */
const maxRefusals = 3

/** Sends what waits, in its turn. */
export interface Sender {
  /** Something waits now. */
  soon(): void
  isDown(): boolean
  /** How many updates were given up because the service refused them. */
  givenUp(): number
  /** Sends what waits without pauses, for so long at most and not while the service is down; then ends all calls. Gives how many were not sent. */
  flush(flushMs: number): Promise<number>
}

interface SenderParts {
  sink: StatusSink
  pending: PendingStatuses
  limits: PaceLimits & { timeoutMs: number }
  report(about: ShortReport): void
}

export function createSender({ sink, pending, limits, report }: SenderParts): Sender {
  const closing = new AbortController()
  const over = Promise.withResolvers<void>()
  let state: 'open' | 'flushing' | 'closed' = 'open'
  let pace = freshPace
  let givenUp = 0
  let timer: NodeJS.Timeout | undefined

  function pump(): void {
    clearTimeout(timer)
    timer = undefined
    const allowed = state === 'open' ? limits : { ...limits, minIntervalMs: 0 }
    while (state !== 'closed' && pending.ready()) {
      const waitMs = nextCallInMs(pace, allowed, performance.now())
      // Until a call ends, which looks again, or for a time.
      if (waitMs > 0 && Number.isFinite(waitMs)) timer = setTimeout(pump, waitMs).unref()
      if (waitMs > 0) break
      void deliver(pending.take() as PendingStatus)
    }
    const done = pending.size() === 0 && pace.inFlight === 0
    if (state === 'flushing' && (done || pace.downSince !== undefined)) over.resolve()
  }

  async function deliver(taken: PendingStatus): Promise<void> {
    const begunAt = performance.now()
    pace = begun(pace, begunAt)
    const { downSince } = pace
    try {
      await sendWithin(sink, taken.update, limits.timeoutMs, closing.signal)
      pending.done(taken)
      pace = succeeded(pace, begunAt)
      if (downSince !== undefined && pace.downSince === undefined) report({ name: 'sink.back', afterMs: performance.now() - downSince })
    } catch (error) {
      if (!putBack(pending, taken, sink.isRefusal?.(error) ?? false)) givenUp++
      fail(error, begunAt)
    }
    pump()
  }

  function fail(error: unknown, begunAt: number): void {
    const wasUp = pace.downSince === undefined
    pace = failed(pace, limits, { begunAt, now: performance.now(), retryAfterMs: retryAfterOf(error) })
    if (wasUp && state !== 'closed') report({ name: 'sink.down', error: describeError(error) })
  }

  return {
    // Not at once: a job that is soon done makes one call and not two, and the worker's own work comes first.
    soon() {
      timer ??= setTimeout(pump, limits.minIntervalMs).unref()
    },
    isDown: () => pace.downSince !== undefined,
    givenUp: () => givenUp,
    async flush(flushMs) {
      state = 'flushing'
      const limit = setTimeout(over.resolve, flushMs)
      pump()
      await over.promise
      clearTimeout(limit)
      clearTimeout(timer)
      state = 'closed'
      const unsent = pending.size() + pace.inFlight
      closing.abort(new Error('Nothing more is sent.'))
      return unsent
    },
  }
}

/** False when it is given up instead: it was refused too often. */
function putBack(pending: PendingStatuses, taken: PendingStatus, refused: boolean): boolean {
  const refusals = taken.refusals + (refused ? 1 : 0)
  if (refusals < maxRefusals) pending.putBack({ ...taken, refusals })
  else pending.done(taken)
  return refusals < maxRefusals
}

function retryAfterOf(error: unknown): number | undefined {
  return isUpstreamError(error) ? error.retryAfterMs : undefined
}
