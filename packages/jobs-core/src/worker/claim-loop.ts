import { isConnectionLoss, isContention } from '../database/sql-state.ts'
import { markDraining } from '../queue/mark-draining.ts'
import { type ClaimedJob, type SettledAndClaimed, settleAndClaim } from '../queue/settle-and-claim.ts'
import { firstRetryMs, type Loop, type LoopParts } from './claim-loop-state.ts'
import type { ClaimPlan } from './claim-plan.ts'
import { handBackStrays } from './hand-back-strays.ts'
import { renew } from './heartbeat/renew.ts'
import { startHeldWatch } from './held-watch.ts'
import { createIdleMark } from './idle-mark.ts'
import { startPauseWatch } from './pause-watch.ts'
import { startServiceWatch } from './service-watch.ts'
import { reportBatch, settleAgain } from './settle-batch.ts'
import { settleBeside } from './settle-beside.ts'
import { createWakes } from './wakes.ts'

/** After going idle: the enqueue that looked just before, and commits just after, is found by these early polls. */
const earlyPollsMs = [20, 100, 300]
const maxLookahead = 500
/** A claim that took this long and found too little walked past jobs of other types. */
const slowClaimMs = 50
/** Then the other way is used for so long. */
const byTypeForMs = 600_000
const maxRetryMs = 2_000

export interface ClaimLoop {
  /** There may be work. */
  wake(): void
  /** The breaker of some service has changed. */
  lookAtServices(): void
  /** Stops claiming and hands back what has not started. What runs goes on, and is still settled as it ends. */
  drain(): Promise<void>
  /** Ends the loop. */
  stop(): Promise<void>
}

/**
 * The worker's heart: settle what is done and claim what comes next, in one round trip when both are due; sleep when neither is.
 */
export function startClaimLoop(parts: LoopParts): ClaimLoop {
  const { runtime, pipeline, pulse } = parts
  const wake = () => {
    loop.work = 'maybe'
    pulse.wake()
  }
  const loop: Loop = {
    ...parts,
    wakes: createWakes(wake),
    idle: createIdleMark(runtime),
    pauses: startPauseWatch(runtime, wake),
    held: startHeldWatch(runtime),
    services: startServiceWatch(runtime, parts.down, wake),
    ...{
      draining: false,
      stopping: false,
      work: 'maybe',
      byTypeUntil: 0,
      typePaused: false,
      lookahead: 0,
      claims: 0,
      emptyPolls: 0,
      mustRecover: false,
      retryMs: firstRetryMs,
    },
  }
  const ended = turn(loop).finally(() => Promise.all([loop.pauses.stop(), loop.held.stop(), loop.services.stop()]))
  return {
    wake: loop.wakes.wake,
    lookAtServices: loop.services.soon,
    async drain() {
      loop.draining = true
      pipeline.close()
      pulse.wake()
      await markDraining(runtime.queue, runtime.session.id).catch(() => {})
    },
    async stop() {
      loop.stopping = true
      pulse.wake()
      await ended
      if (!runtime.session.lost.aborted) await pipeline.handBack().catch(() => {})
    },
  }
}

async function turn(loop: Loop): Promise<void> {
  while (!loop.stopping && !loop.runtime.session.lost.aborted) {
    try {
      if (loop.mustRecover) await recover(loop)
      if (loop.pipeline.isStale() || loop.draining) await loop.pipeline.handBack()
      if (await roundTrip(loop)) continue
      isWell(loop)
      await sleep(loop)
    } catch (error) {
      await backOff(loop, error)
    }
  }
}

/** One statement for whatever is due; false when nothing is. */
async function roundTrip(loop: Loop): Promise<boolean> {
  const { runtime, pipeline, completions } = loop
  const plan = pipeline.plan()
  const { limit, types, scouting } = aim(loop, plan)
  const isWorthIt = plan.due && (limit > 0 || plan.start > 0)
  if (!isWorthIt && !completions.isDue()) return false
  const starting = pipeline.next(plan.start)
  const batch = completions.take()
  if (limit > 0) {
    // A scout has not looked for anything else.
    if (!scouting) loop.work = 'no'
  }
  const claim = loop.claims
  if (limit > 0) loop.claims += limit + loop.lookahead
  const look = limit > 0 && !scouting ? loop.wakes.look() : undefined
  if (starting.length > 0) loop.held.startsNoted()
  const beside = settleBeside(runtime, completions, loop.pulse)
  try {
    const trip = {
      workerId: runtime.session.id,
      types,
      completed: batch,
      starting: starting.map((job) => job.claim),
      limit,
      claim,
      freeSlots: plan.freeSlots,
    }
    const askedAt = performance.now()
    // Jobs of types that are left out would stand in the way.
    const byType = askedAt < loop.byTypeUntil || loop.typePaused || loop.services.leavesOut()
    const result = await settleAndClaim(runtime.queue, { ...trip, lookahead: loop.lookahead, ...pipeline.rescued(), byType })
    isWell(loop)
    look?.found(result.claimed.length)
    if (scouting) loop.services.scouted(result.claimed.length)
    else if (result.claimed.length < limit && performance.now() - askedAt > slowClaimMs) loop.byTypeUntil = askedAt + byTypeForMs
    // With a lease that had run out nothing was cleared to start, and what should have been is still this worker's if the lease is saved.
    pipeline.accept(result.started, result.alive ? starting : [], result.claimed)
    afterClaim(loop, result, scouting ? 0 : limit)
    if (!result.alive) await saveLease(loop)
    if (!(await beside.stop())) loop.mustRecover = true
    await reportBatch(runtime, completions, { batch, settled: result.settled })
    loop.held.note(() => heldJobs(loop), loop.claims + 1)
  } catch (error) {
    loop.work = 'maybe'
    if (!(await beside.stop())) loop.mustRecover = true
    settleAgain(runtime, completions, batch, error)
    if (isConnectionLoss(error) || batch.length + starting.length === 0) throw error
    // One of these rows is locked or cannot be stored: they go on apart, the loop goes on without them.
    pipeline.release(starting)
  }
  return true
}

/** What the next claim looks for: now and then one job that finds out whether a service is back; else whatever may run. */
function aim(loop: Loop, plan: ClaimPlan): { limit: number; types: readonly string[]; scouting: boolean } {
  const limit = mayClaim(loop, plan) ? plan.claim : 0
  const scouts = limit > 0 && plan.freeSlots > 0 ? loop.services.scout() : []
  if (scouts.length > 0) return { limit: 1, types: scouts, scouting: true }
  return { limit, types: loop.services.types(), scouting: false }
}

function mayClaim(loop: Loop, plan: ClaimPlan): boolean {
  if (loop.draining || loop.work === 'no') return false
  return loop.work === 'maybe' || plan.freeSlots > 0
}

/** The lease may merely be late: then a heartbeat saves it, and what could not be done is done now. */
async function saveLease(loop: Loop): Promise<void> {
  if (await renew(loop.runtime)) loop.work = 'maybe'
  else loop.runtime.session.lose()
}

function afterClaim(loop: Loop, result: SettledAndClaimed, asked: number): void {
  loop.typePaused = result.typePaused
  loop.pauses.saw(result.collectionPaused)
  if (asked === 0) return
  if (result.claimed.length > 0) loop.emptyPolls = 0
  const seesFurther = result.passed > loop.lookahead && loop.lookahead < maxLookahead
  loop.lookahead = Math.min(result.passed, maxLookahead)
  // Rescued jobs that must wait for each other do not hold up what stands behind them.
  if (seesFurther && result.claimed.length < asked) loop.work = 'maybe'
  if (!result.more) return
  // What there is may be jobs that are only claimed straight into a free slot.
  loop.work = result.claimed.length > 0 ? 'maybe' : 'slots'
  loop.idle.whileBusy()
}

async function sleep(loop: Loop): Promise<void> {
  const { runtime, pipeline, completions, pulse } = loop
  // With every slot taken there is nothing to be told; a slot that becomes free wakes the loop.
  const isIdle = loop.work !== 'maybe' && pipeline.plan().claim > 0
  if (!loop.draining && isIdle && (await loop.idle.beforeSleep())) {
    loop.work = 'maybe'
    loop.emptyPolls = 0
    return
  }
  const { pollIntervalMs } = runtime.settings
  const pollMs = Math.min(earlyPollsMs[loop.emptyPolls] ?? pollIntervalMs, pollIntervalMs)
  const woken = await pulse.sleep(Math.min(completions.dueInMs(), pipeline.staleInMs(), pollMs))
  if (woken || completions.isDue() || pipeline.isStale()) return
  loop.emptyPolls++
  loop.work = 'maybe'
}

/** The database is away, or refuses: try less and less often, at most five times a second. */
async function backOff(loop: Loop, error: unknown): Promise<void> {
  loop.mustRecover = true
  if (!isContention(error)) loop.runtime.outage.lost('claim', error)
  const until = performance.now() + loop.retryMs
  // Jobs that end meanwhile wake the loop, and find it as it was.
  while (!loop.stopping && !loop.runtime.session.lost.aborted && performance.now() < until)
    await loop.pulse.sleep(until - performance.now())
  loop.retryMs = Math.min(loop.retryMs * 2, maxRetryMs)
}

/** Everything that is claimed and not settled. Right only while no statement of the loop is under way. */
function heldJobs({ runtime, pipeline, completions }: Loop): ClaimedJob[] {
  const running = [...runtime.active.values()].map((run) => run.job)
  return [...running, ...pipeline.waiting(), ...completions.jobs(), ...runtime.apart.jobs()]
}

async function recover(loop: Loop): Promise<void> {
  await handBackStrays(loop.runtime, () => heldJobs(loop))
  loop.mustRecover = false
  loop.work = 'maybe'
}

/** Only now: a server out of disk still answers to what reads. */
function isWell(loop: Loop): void {
  if (loop.retryMs === firstRetryMs) return
  loop.retryMs = firstRetryMs
  loop.runtime.outage.back('claim')
}
