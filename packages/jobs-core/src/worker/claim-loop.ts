import { isContention } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import { decideOutcome } from '../policy/outcome.ts'
import { awaitClaims } from '../queue/await-claims.ts'
import { findStrayRuns } from '../queue/find-stray-runs.ts'
import { markDraining } from '../queue/mark-draining.ts'
import { settleAndClaim } from '../queue/settle-and-claim.ts'
import { settleEndings } from '../queue/settle-endings.ts'
import type { Completions } from './completions.ts'
import { createIdleMark } from './idle-mark.ts'
import type { Pipeline } from './pipeline.ts'
import type { Pulse } from './pulse.ts'
import type { Runtime } from './runtime.ts'

/** After going idle: the enqueue that looked just before, and commits just after, is found by these early polls. */
const earlyPollsMs = [20, 100, 300]
const firstRetryMs = 200
const maxRetryMs = 2_000

export interface ClaimLoop {
  /** There may be work, or a slot became free, or a run is to be settled. */
  wake(): void
  /** Stops claiming and hands back what has not started. What runs goes on, and is still settled as it ends. */
  drain(): Promise<void>
  /** Ends the loop. */
  stop(): Promise<void>
}

/**
 * The worker's heart: settle what is done and claim what comes next, in one round trip when both are due; sleep when neither is.
 */
export function startClaimLoop(runtime: Runtime, pipeline: Pipeline, completions: Completions, pulse: Pulse): ClaimLoop {
  const { settings, session, queue, emit } = runtime
  const types = [...settings.handlers.keys()]
  const idle = createIdleMark(runtime)
  let draining = false
  let stopping = false
  let mayHaveWork = true
  let emptyPolls = 0
  let lostAt: number | undefined
  let retryMs = firstRetryMs

  const loop = (async () => {
    while (!stopping && !session.lost.aborted) {
      try {
        if (lostAt !== undefined) await recover()
        if (pipeline.isStale() || draining) await pipeline.handBack()
        if (await roundTrip()) continue
        await sleep()
      } catch (error) {
        await backOff(error)
      }
    }
  })()

  /** One statement for whatever is due; false when nothing is. */
  async function roundTrip(): Promise<boolean> {
    const plan = pipeline.plan()
    const claim = mayHaveWork && !draining ? plan.claim : 0
    if (claim === 0 && plan.start === 0 && !completions.isDue()) return false
    const starting = pipeline.next(plan.start)
    const completed = completions.take()
    if (claim > 0) mayHaveWork = false
    try {
      const trip = { workerId: session.id, types, completed, starting, limit: claim, freeSlots: plan.freeSlots }
      const result = await settleAndClaim(queue, trip)
      completions.settled(completed, result.settled)
      if (!result.alive) session.lose()
      pipeline.accept(result.started, starting, result.claimed)
      if (claim > 0) afterClaim(claim, result.claimed.length)
      retryMs = firstRetryMs
    } catch (error) {
      mayHaveWork = true
      await completions.putBack(completed, error)
      throw error
    }
    return true
  }

  function afterClaim(asked: number, got: number): void {
    if (got > 0) emptyPolls = 0
    if (got < asked) return
    mayHaveWork = true
    idle.whileBusy()
  }

  async function sleep(): Promise<void> {
    const plan = pipeline.plan()
    // With every slot taken there is nothing to be told; a slot that becomes free wakes the loop.
    if (plan.claim > 0 && !draining && (await idle.beforeSleep())) {
      mayHaveWork = true
      return
    }
    const pollMs = Math.min(earlyPollsMs[emptyPolls] ?? settings.pollIntervalMs, settings.pollIntervalMs)
    const woken = await pulse.sleep(Math.min(completions.dueInMs(), pipeline.staleInMs(), pollMs))
    if (woken || completions.isDue() || pipeline.staleInMs() === 0) return
    emptyPolls++
    mayHaveWork = true
  }

  /** The database is away, or refuses: try less and less often, at most five times a second. */
  async function backOff(error: unknown): Promise<void> {
    if (lostAt === undefined && !isContention(error)) emit({ name: 'database.lost', during: 'claim', error: describeError(error) })
    lostAt ??= performance.now()
    await pulse.sleep(retryMs)
    retryMs = Math.min(retryMs * 2, maxRetryMs)
  }

  /** A claim whose answer was lost may have committed: what it took is handed back, or it would stay `running` as long as we live. */
  async function recover(): Promise<void> {
    await awaitClaims(queue, session.id)
    const known = [...runtime.active.keys(), ...pipeline.waitingIds(), ...completions.ids()]
    const strays = await findStrayRuns(queue, session.id, known)
    if (strays.length > 0) {
      const outcome = decideOutcome({ kind: 'unstarted' }, 1, 0)
      await settleEndings(
        queue,
        strays.map((stray) => ({ id: stray.id, run: stray.run, outcome })),
      )
    }
    emit({ name: 'database.back', afterMs: performance.now() - (lostAt ?? 0) })
    lostAt = undefined
    retryMs = firstRetryMs
    mayHaveWork = true
  }

  return {
    wake() {
      mayHaveWork = true
      pulse.wake()
    },
    async drain() {
      draining = true
      pulse.wake()
      await markDraining(queue, session.id).catch(() => {})
    },
    async stop() {
      stopping = true
      pulse.wake()
      await loop
      if (!session.lost.aborted) await pipeline.handBack().catch(() => {})
    },
  }
}
