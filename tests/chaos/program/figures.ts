import { type History, isExit, type Violation } from '../history/history.ts'
import { findRepeats } from '../invariants/repeats.ts'

/** What came of one fault. */
export interface Figures {
  fault: string
  title: string
  jobs: number
  faults: number
  /** Violations of the promise that nothing is lost. */
  lost: number
  unexplained: number
  /** Starts after a job's first, by the reason its history gives. */
  repeated: Record<string, number>
  /** Writes about a run that the fence kept out. */
  lateRefused: number
  /** From the fault until the jobs were there for others, or until all went on; 99 of 100 took no longer. Null: nothing to recover. */
  recoveryP99Ms: number | null
  seconds: number
  /** Everything that should not have been. */
  violations: Violation[]
}

/** Counts a history. */
export function countHistory(
  history: History,
  violations: Violation[],
  recoveries: readonly number[],
): Pick<Figures, 'jobs' | 'lost' | 'unexplained' | 'repeated' | 'lateRefused' | 'recoveryP99Ms' | 'violations'> {
  const repeats = findRepeats(history)
  const reasons = Object.groupBy(repeats, ({ why = 'unexplained' }) => why)
  return {
    jobs: history.jobs.length,
    lost: violations.filter(({ invariant }) => invariant === 'I1').length,
    unexplained: violations.filter(({ invariant }) => invariant === 'I4').length,
    repeated: Object.fromEntries(Object.entries(reasons).map(([why, list = []]) => [why, list.length])),
    lateRefused: history.events.filter(({ kind }) => kind === 'late').length,
    recoveryP99Ms: quantile([...recoveries, ...rescueTimes(history)], 0.99),
    violations,
  }
}

/** From the moment a worker fell silent until each of its jobs was taken back. */
function rescueTimes({ silences, events, changes }: History): number[] {
  const silentAt = new Map<string, number>()
  for (const { pid, at } of silences) {
    for (const { pid: owner, kind, worker = '', at: registeredAt } of events) {
      if (kind === 'registered' && owner === pid && registeredAt < at) silentAt.set(worker, at)
    }
  }
  return changes.filter(isExit).flatMap(({ at, worker, oldWorker }) => {
    const since = worker === null ? silentAt.get(oldWorker ?? '') : undefined
    return since === undefined || at < since ? [] : [at - since]
  })
}

function quantile(values: readonly number[], share: number): number | null {
  const ordered = values.toSorted((a, b) => a - b)
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? null
}
