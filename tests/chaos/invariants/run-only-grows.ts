import { type History, isClaim, type Violation } from '../history/history.ts'

/** I2: the fence grows by one at each claim and never changes otherwise. */
export function runOnlyGrows(history: History): Violation[] {
  return history.changes.flatMap((change) => {
    const expected = isClaim(change) ? change.oldRun + 1 : change.oldRun
    if (change.run === expected) return []
    return [{ invariant: 'I2', job: change.job, text: `run went from ${change.oldRun} to ${change.run} (${change.from} → ${change.to})` }]
  })
}
