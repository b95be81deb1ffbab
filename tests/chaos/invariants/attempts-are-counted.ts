import { type History, isClaim, isExit, isWaiting, type JobChange, type Violation } from '../history/history.ts'

/** I5: attempts are counted at the claim, never pass `max_attempts`, and go back by one only when a run is handed back. */
export function attemptsAreCounted(history: History): Violation[] {
  return history.changes.flatMap((change) => {
    const text = fault(change)
    return text === undefined
      ? []
      : [{ invariant: 'I5', job: change.job, text: `${text} (${change.from} → ${change.to}, run ${change.run})` }]
  })
}

function fault(change: JobChange): string | undefined {
  const { from, to, oldAttempts, attempts, maxAttempts } = change
  if (attempts > maxAttempts) return `attempt ${attempts} of ${maxAttempts}`
  if (isClaim(change)) return attempts === oldAttempts + 1 ? undefined : `a claim left attempts at ${attempts}, from ${oldAttempts}`
  if (attempts === oldAttempts) return undefined
  const handedBack = isExit(change) && (isWaiting(to) || to === 'cancelled') && attempts === oldAttempts - 1
  const anew = from !== null && from !== 'running' && to === 'pending' && attempts === 0
  return handedBack || anew ? undefined : `attempts went from ${oldAttempts} to ${attempts}`
}
