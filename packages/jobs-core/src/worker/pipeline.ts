import { isConnectionLoss } from '../database/sql-state.ts'
import { decideOutcome } from '../policy/outcome.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import { settleEndings } from '../queue/settle-endings.ts'
import { type ClaimPlan, planClaim } from './claim-plan.ts'
import type { Handler } from './define-handler.ts'
import { createDurations } from './durations.ts'
import { jobFields } from './job-fields.ts'
import { runJob } from './run-job.ts'
import type { Runtime } from './runtime.ts'
import type { Slots } from './slots.ts'
import { createTurns } from './turns.ts'

/** Waiting longer than this for a slot, claimed jobs go back to the queue: another worker may be free. */
const maxWaitMs = 250

interface Waiting {
  job: ClaimedJob
  since: number
}

/**
 * Claimed jobs on their way into a slot: prefetched (their flag must be cleared first) → startable → running.
 */
export interface Pipeline {
  plan(): ClaimPlan
  /** The prefetched jobs that `plan().start` means, oldest first. */
  next(count: number): ClaimedJob[]
  /** After a round trip: whether what was asked for was cleared to start, and what was claimed. */
  accept(started: boolean, asked: readonly ClaimedJob[], claimed: readonly ClaimedJob[]): void
  /** True when jobs have waited too long for a slot. */
  isStale(): boolean
  /** When that will be, in milliseconds from now. */
  staleInMs(): number
  /** Hands back every job that has not started, uncharged. */
  handBack(): Promise<void>
  /** Hands these prefetched jobs back one by one, beside the loop: one of them is locked. */
  release(jobs: readonly ClaimedJob[]): void
  /** From now on nothing starts. */
  close(): void
  /** What is claimed or running here that was taken back from a dead worker before. */
  rescued(): { rescuedHeld: number; lastChanceHeld: boolean }
  /** Everything claimed and not yet running. */
  waiting(): ClaimedJob[]
  /** Forgets what waits: the lease is lost and others own it. */
  drop(): void
}

/** @param onHungry called when a job has ended and a slot stays free, or too little is at hand. */
export function createPipeline(runtime: Runtime, slots: Slots, onHungry: () => void): Pipeline {
  let prefetched: Waiting[] = []
  let startable: Waiting[] = []
  let closed = false
  const durations = createDurations()
  const turns = createTurns(fill)

  function fill(): void {
    while (!closed && startable.length > 0 && slots.free() > 0) {
      if (!turns.mayGoOn()) return
      // A process that was paused finds out here, before it starts what may be somebody else's by now.
      if (!runtime.session.holds()) return
      start((startable.shift() as Waiting).job)
    }
  }

  function start(job: ClaimedJob): void {
    const handler = runtime.settings.handlers.get(job.job_type) as Handler
    const startedAt = performance.now()
    slots
      .run(() => runJob(runtime, job, handler))
      .then(() => {
        durations.add(performance.now() - startedAt)
        fill()
        if (slots.free() > 0 || plan().due) onHungry()
      })
  }

  function takeAll(): ClaimedJob[] {
    const waiting = [...startable, ...prefetched].map((entry) => entry.job)
    startable = []
    prefetched = []
    return waiting
  }

  const plan = () => {
    const held = { startable: startable.length, prefetched: prefetched.length }
    return planClaim({ ...slotsOf(slots), ...held, averageMs: durations.average(), longestMs: longestRun(runtime) })
  }
  const staleInMs = () => Math.max(0, Math.min(oldestOf(startable), oldestOf(prefetched)) + maxWaitMs - performance.now())

  return {
    plan,
    next: (count) => prefetched.slice(0, count).map((waiting) => waiting.job),
    accept(started, asked, claimed) {
      const since = performance.now()
      const askedIds = new Set(asked.map((job) => job.id))
      prefetched = prefetched.filter((waiting) => !askedIds.has(waiting.job.id))
      if (started) startable.push(...asked.map((job) => ({ job, since })))
      for (const job of claimed) (job.prefetched ? prefetched : startable).push({ job, since })
      fill()
    },
    isStale: () => staleInMs() === 0,
    staleInMs,
    handBack: () => handBackJobs(runtime, takeAll()),
    release(jobs) {
      prefetched = prefetched.filter((waiting) => !jobs.includes(waiting.job))
      handBackApart(runtime, jobs)
    },
    close() {
      closed = true
    },
    rescued: () => countRescued([...startable, ...prefetched, ...runtime.active.values()]),
    waiting: () => [...startable, ...prefetched].map((entry) => entry.job),
    drop: () => void takeAll(),
  }
}

/** @throws when the connection is lost: what became of them is not known then. */
async function handBackJobs(runtime: Runtime, jobs: readonly ClaimedJob[]): Promise<void> {
  if (jobs.length === 0) return
  try {
    await settleUnstarted(runtime, jobs)
  } catch (error) {
    if (isConnectionLoss(error)) throw error
    handBackApart(runtime, jobs)
  }
}

function handBackApart(runtime: Runtime, jobs: readonly ClaimedJob[]): void {
  for (const job of jobs) runtime.apart.add({ job, settle: () => settleUnstarted(runtime, [job]) })
}

async function settleUnstarted(runtime: Runtime, jobs: readonly ClaimedJob[]): Promise<void> {
  const ended = jobs.map((job) => ({ id: job.id, run: job.run, outcome: decideOutcome({ kind: 'unstarted' }, job.attempts, 0) }))
  const settled = new Set((await settleEndings(runtime.queue, ended)).map(({ id }) => id))
  for (const job of jobs) if (settled.has(job.id)) runtime.emit({ name: 'job.released', started: false, ...jobFields(job) })
}

const slotsOf = (slots: Slots) => ({ slots: slots.size, running: slots.running() })

/** When the oldest of them was claimed. */
function oldestOf(waiting: readonly Waiting[]): number {
  return waiting[0]?.since ?? Number.POSITIVE_INFINITY
}

function longestRun(runtime: Runtime): number {
  // Maps keep their order: the first is the oldest.
  const [oldest] = runtime.active.values()
  return oldest === undefined ? 0 : performance.now() - oldest.startedAt
}

function countRescued(held: readonly { job: ClaimedJob }[]): { rescuedHeld: number; lastChanceHeld: boolean } {
  const rescued = held.filter(({ job }) => job.rescues > 0)
  return { rescuedHeld: rescued.length, lastChanceHeld: rescued.some(({ job }) => job.attempts >= job.max_attempts) }
}
