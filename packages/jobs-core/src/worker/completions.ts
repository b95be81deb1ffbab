import { isConnectionLoss, isContention } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import { decideOutcome } from '../policy/outcome.ts'
import { findRuns } from '../queue/find-runs.ts'
import { type CompletedRun, settleAndClaim } from '../queue/settle-and-claim.ts'
import type { ActiveRun } from './active-run.ts'
import { jobFields } from './job-fields.ts'
import type { Runtime } from './runtime.ts'
import { settleEnding } from './settle-ending.ts'
import { reportCompleted } from './settle-success.ts'

/** A batch is settled when it has this many runs, or this much later; sooner when a claim goes out anyway. */
const fullBatch = 64
const flushMs = 5
const maxBatch = 1_000
/** Sum of result texts in one statement. */
const maxBatchBytes = 4 * 1_048_576

type Completion = CompletedRun & { active: ActiveRun }

/** Runs that ended well and wait for the round trip that settles them. */
export interface Completions {
  add(completion: Completion): void
  isDue(): boolean
  dueInMs(): number
  take(): Completion[]
  ids(): string[]
  /** After the statement: reports those it settled and finds out about the others. */
  settled(batch: readonly Completion[], settled: ReadonlySet<string>): void
  /** After a statement that failed: keeps them for the next, or settles them one by one when one of them may be the reason. */
  putBack(batch: readonly Completion[], error: unknown): Promise<void>
  /** Settles everything there is, before the worker stops. */
  flush(): Promise<void>
}

/** @param onDue called when a batch is full or its time has come. */
export function createCompletions(runtime: Runtime, onDue: () => void): Completions {
  let waiting: Completion[] = []
  let oldestAt = 0
  /** Taken out and not yet known to be settled. */
  const underWay = new Set<Completion>()

  const take = () => {
    const batch = firstBatch(waiting)
    waiting = waiting.slice(batch.length)
    for (const completion of batch) underWay.add(completion)
    return batch
  }

  function settled(batch: readonly Completion[], ids: ReadonlySet<string>): void {
    const missing = batch.filter((completion) => !ids.has(completion.id))
    for (const completion of batch) {
      if (!ids.has(completion.id)) continue
      underWay.delete(completion)
      reportCompleted(runtime, completion.active)
    }
    if (missing.length > 0) void explain(missing)
  }

  /** No row was updated: the job is gone, somebody else's, or an earlier try had committed and only its answer was lost. */
  async function explain(missing: readonly Completion[]): Promise<void> {
    try {
      const fates = await findRuns(runtime.queue, runtime.session.id, missing)
      for (const completion of missing) {
        underWay.delete(completion)
        const fate = fates.get(completion.id)
        if (fate === 'settled') reportCompleted(runtime, completion.active)
        else if (fate === 'still_running') add(completion)
        else runtime.emit({ name: 'job.gone', reason: fate === 'deleted' ? 'deleted' : 'lost', ...jobFields(completion.active.job) })
      }
    } catch {
      for (const completion of missing) add(completion)
    }
  }

  function add(completion: Completion): void {
    underWay.delete(completion)
    if (waiting.length === 0) {
      oldestAt = performance.now()
      setTimeout(onDue, flushMs)
    }
    waiting.push(completion)
    if (waiting.length === fullBatch) onDue()
  }

  async function putBack(batch: readonly Completion[], error: unknown): Promise<void> {
    if (batch.length === 0) return
    runtime.emit({ name: 'settle.retried', jobs: batch.length, error: describeError(error) })
    if (isConnectionLoss(error)) for (const completion of batch) add(completion)
    else for (const completion of batch) await settleAlone(completion)
  }

  /** One locked or unstorable row must not hold up the others. */
  async function settleAlone(completion: Completion): Promise<void> {
    try {
      const trip = { workerId: runtime.session.id, types: [], completed: [completion], starting: [], limit: 0, freeSlots: 0 }
      settled([completion], (await settleAndClaim(runtime.queue, trip)).settled)
    } catch (error) {
      if (isConnectionLoss(error) || isContention(error)) return add(completion)
      underWay.delete(completion)
      const { active } = completion
      await settleEnding(runtime, active, decideOutcome({ kind: 'threw', error }, active.job.attempts, Math.random()))
    }
  }

  return {
    add,
    isDue: () => waiting.length >= fullBatch || (waiting.length > 0 && performance.now() - oldestAt >= flushMs),
    dueInMs: () => (waiting.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, oldestAt + flushMs - performance.now())),
    take,
    ids: () => [...waiting, ...underWay].map((completion) => completion.id),
    settled,
    putBack,
    async flush() {
      while (waiting.length > 0 && !runtime.session.lost.aborted) {
        const batch = take()
        try {
          const trip = { workerId: runtime.session.id, types: [], completed: batch, starting: [], limit: 0, freeSlots: 0 }
          settled(batch, (await settleAndClaim(runtime.queue, trip)).settled)
        } catch (error) {
          await putBack(batch, error)
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    },
  }
}

function firstBatch(waiting: readonly Completion[]): Completion[] {
  let bytes = 0
  const end = waiting.findIndex((completion, index) => {
    bytes += completion.resultJson?.length ?? 0
    return index > 0 && (index >= maxBatch || bytes > maxBatchBytes)
  })
  return end === -1 ? [...waiting] : waiting.slice(0, end)
}
