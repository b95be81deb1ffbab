import { type History, isClaim, isWaiting, type JobChange, type Violation } from '../history/history.ts'

/**
 * I8: nothing starts before `scheduled_for`, by the database's clock, and nothing is claimed while something more urgent waits. A job
 * was passed over when it could be seen well before a claim and still waited well after it: commits that were under way, and rows that
 * another worker had locked for an instant, are no fault.
 */
export function orderIsKept(history: History): Violation[] {
  const claims = history.changes.filter(isClaim)
  const early = claims.filter(({ startedAt, oldScheduledFor }) => startedAt === null || startedAt < oldScheduledFor)
  const waits = waitsByPriority(history.changes)
  const doubtMs = history.slackMs
  const passedOver = claims.filter((claim) =>
    [...waits].some(
      ([priority, { covers }]) => priority > claim.priority && covers((claim.startedAt ?? claim.at) - doubtMs, claim.at + doubtMs),
    ),
  )
  return [
    ...early.map(({ job, startedAt, oldScheduledFor }) => ({ job, text: `was claimed at ${startedAt}, scheduled for ${oldScheduledFor}` })),
    ...passedOver.map(({ job, priority }) => ({ job, text: `of priority ${priority} was claimed while a more urgent one waited` })),
  ].map((violation) => ({ invariant: 'I8', ...violation }))
}

interface Wait {
  from: number
  to: number
}

/** When jobs that anybody may claim waited, by priority. What was rescued, or has its last attempt before it, has to wait at times. */
function waitsByPriority(changes: readonly JobChange[]): Map<number, { covers(from: number, to: number): boolean }> {
  const open = new Map<string, JobChange>()
  const waits = new Map<number, Wait[]>()
  for (const change of changes) {
    const before = open.get(change.job)
    if (before) {
      const list = waits.get(before.priority) ?? []
      waits.set(before.priority, list)
      list.push({ from: Math.max(before.at, before.scheduledFor), to: change.at })
    }
    const free = isWaiting(change.to) && change.rescues === 0 && change.attempts + 1 < change.maxAttempts
    if (free) open.set(change.job, change)
    else open.delete(change.job)
  }
  return new Map([...waits].map(([priority, list]) => [priority, { covers: coverage(list) }]))
}

/** Whether one of these waits covers a whole span of time. */
function coverage(waits: readonly Wait[]): (from: number, to: number) => boolean {
  const ordered = waits.toSorted((a, b) => a.from - b.from)
  let latest = Number.NEGATIVE_INFINITY
  const until = ordered.map(({ to }) => {
    latest = Math.max(latest, to)
    return latest
  })
  return (from, to) => {
    let low = 0
    for (let high = ordered.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((ordered[middle] as Wait).from <= from) low = middle + 1
      else high = middle
    }
    return low > 0 && (until[low - 1] as number) >= to
  }
}
