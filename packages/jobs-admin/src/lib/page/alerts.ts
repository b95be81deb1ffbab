import type { Count, CountsBody, PausesBody, WorkersBody } from './wire/more-bodies.ts'

/** Something that needs a person. */
export type Alert =
  | { kind: 'no_worker'; type: string; jobs: number }
  | { kind: 'waits'; type: string; jobs: number; forMs: number }
  | { kind: 'failed'; jobs: number }
  | { kind: 'paused'; pauses: number }

/** Failed jobs that are not set aside; these may have been counted a moment apart. Pure. */
export function failedJobs({ statuses, set_aside }: CountsBody): Count {
  const { jobs, capped } = statuses.error ?? { jobs: 0, capped: false }
  return { jobs: Math.max(0, jobs - set_aside), capped }
}

/** A job that is due is picked up within a second; so long means that something is wrong. */
const tooLongMs = 15 * 60_000

/**
 * What needs somebody, the worst first: waiting jobs that no living worker takes, jobs that have waited too long, jobs that failed, and pauses, which somebody may have
 * forgotten. Nothing else is loud. Pure.
 */
export function findAlerts(counts: CountsBody, parts: { workers?: WorkersBody | null; pauses?: PausesBody | null; now: number }): Alert[] {
  const { workers, pauses, now } = parts
  const taken = new Set((workers?.workers ?? []).filter(({ state }) => state === 'alive').flatMap(({ types }) => types ?? []))
  const due = counts.types.flatMap(({ type, statuses, oldest_due_at }) => {
    if (oldest_due_at === null) return []
    const forMs = now - Date.parse(oldest_due_at)
    const jobs = (statuses.pending?.jobs ?? 0) + (statuses.retry?.jobs ?? 0)
    return forMs < 0 || jobs === 0 ? [] : [{ type, jobs, forMs }]
  })
  const lonely = workers ? due.filter(({ type }) => !taken.has(type)) : []
  const slow = due.filter((found) => found.forMs > tooLongMs && !lonely.includes(found))
  const failed = failedJobs(counts).jobs
  return [
    ...lonely.map(({ type, jobs }): Alert => ({ kind: 'no_worker', type, jobs })),
    ...slow.toSorted((a, b) => b.forMs - a.forMs).map((found): Alert => ({ kind: 'waits', ...found })),
    ...(failed > 0 ? [{ kind: 'failed' as const, jobs: failed }] : []),
    ...(pauses && pauses.pauses.length > 0 ? [{ kind: 'paused' as const, pauses: pauses.pauses.length }] : []),
  ]
}
