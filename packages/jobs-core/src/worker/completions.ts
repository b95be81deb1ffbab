import type { ClaimedJob, CompletedRun } from '../queue/settle-and-claim.ts'
import type { ActiveRun } from './active-run.ts'

/** A batch is settled when it has this many runs, or this much later; sooner when a claim goes out anyway. */
const fullBatch = 256
const flushMs = 5
const maxBatch = 1_000
/** Sum of result texts in one statement, in characters. */
const maxBatchLength = 4 * 1_048_576

/** A run that ended well, and what is known of it. */
export interface Completion extends CompletedRun {
  active: ActiveRun
}

/** Runs that ended well and wait for the round trip that settles them. */
export interface Completions {
  add(completion: Completion): void
  isDue(): boolean
  /** Infinity when nothing waits. */
  dueInMs(): number
  /** Takes out what one statement settles. */
  take(): Completion[]
  jobs(): ClaimedJob[]
}

/** @param onDue called when a batch is full or its time has come. */
export function createCompletions(onDue: () => void): Completions {
  let waiting: Completion[] = []
  let oldestAt = 0
  let urgent = false
  return {
    add(completion) {
      if (waiting.length === 0) {
        oldestAt = performance.now()
        setTimeout(onDue, flushMs)
      }
      waiting.push(completion)
      urgent ||= isUrgent(completion)
      if (waiting.length === fullBatch || urgent) onDue()
    },
    isDue: () => waiting.length >= fullBatch || urgent || (waiting.length > 0 && performance.now() - oldestAt >= flushMs),
    dueInMs: () => (waiting.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, oldestAt + flushMs - performance.now())),
    take() {
      const batch = waiting.slice(0, batchSize(waiting))
      waiting = waiting.slice(batch.length)
      urgent = waiting.some(isUrgent)
      return batch
    },
    jobs: () => waiting.map((completion) => completion.active.job),
  }
}

/** A job that was rescued before does not wait: should the worker die now, it would have run in vain again. */
function isUrgent({ active }: Completion): boolean {
  return active.job.rescues > 0
}

function batchSize(waiting: readonly Completion[]): number {
  let length = 0
  const end = waiting.findIndex((completion, index) => {
    length += completion.resultJson?.length ?? 0
    return index > 0 && (index >= maxBatch || length > maxBatchLength)
  })
  return end === -1 ? waiting.length : end
}
