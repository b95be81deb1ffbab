import type { JobStatusUpdate } from './status-sink.ts'

/** An update that waits, or is on its way. */
export interface PendingStatus {
  readonly update: JobStatusUpdate
  readonly ended: boolean
  /** How often it was refused. */
  readonly refusals: number
}

/**
 * The newest update of each job that is still to be sent. Of two of one job the older one is forgotten. Ends of runs go first; when it is full
 * the oldest update about a running job makes room, and the oldest end only for another end.
 */
export interface PendingStatuses {
  put(update: JobStatusUpdate, ended: boolean): void
  /** The next to be sent, on its way from now on; none of a job that has one on its way. */
  take(): PendingStatus | undefined
  /** True when `take` would give one. */
  ready(): boolean
  /** It has arrived, or is given up. */
  done(taken: PendingStatus): void
  /** It has not arrived: it waits again, behind the others, unless it is no longer the newest. */
  putBack(taken: PendingStatus): void
  /** Forgets what waits of a job, and what is on its way does not come back. */
  forget(jobId: string): void
  /** The same for all jobs whose newest update says that they run. */
  forgetRunning(): void
  /** How many wait, those on their way not counted. */
  size(): number
  /** How many updates were lost for want of room, since the start. */
  dropped(): number
}

/** @param capacity how many jobs may wait. */
export function createPendingStatuses(capacity: number): PendingStatuses {
  // Maps keep their order, and a key that is set again its place.
  const ends = new Map<string, PendingStatus>()
  const runs = new Map<string, PendingStatus>()
  /** By job; false when what is on its way is not the newest any more. */
  const onTheirWay = new Map<string, { ended: boolean; newest: boolean }>()
  let dropped = 0

  function add(pending: PendingStatus): void {
    const { jobId } = pending.update
    const [place, other] = pending.ended ? [ends, runs] : [runs, ends]
    other.delete(jobId)
    if (!place.has(jobId) && ends.size + runs.size >= capacity) {
      dropped++
      const full = runs.size > 0 ? runs : pending.ended ? ends : undefined
      if (full === undefined) return
      full.delete(full.keys().next().value as string)
    }
    place.set(jobId, pending)
  }

  function next(): PendingStatus | undefined {
    for (const place of [ends, runs]) {
      for (const pending of place.values()) if (!onTheirWay.has(pending.update.jobId)) return pending
    }
    return undefined
  }

  function outdate(jobId: string): void {
    const way = onTheirWay.get(jobId)
    if (way) way.newest = false
  }

  return {
    put(update, ended) {
      outdate(update.jobId)
      add({ update, ended, refusals: 0 })
    },
    take() {
      const pending = next()
      if (pending === undefined) return undefined
      const { jobId } = pending.update
      ;(pending.ended ? ends : runs).delete(jobId)
      onTheirWay.set(jobId, { ended: pending.ended, newest: true })
      return pending
    },
    ready: () => next() !== undefined,
    done: ({ update }) => void onTheirWay.delete(update.jobId),
    putBack(taken) {
      const { jobId } = taken.update
      const newest = onTheirWay.get(jobId)?.newest
      onTheirWay.delete(jobId)
      if (newest) add(taken)
    },
    forget(jobId) {
      ends.delete(jobId)
      runs.delete(jobId)
      outdate(jobId)
    },
    forgetRunning() {
      runs.clear()
      for (const way of onTheirWay.values()) if (!way.ended) way.newest = false
    },
    size: () => ends.size + runs.size,
    dropped: () => dropped,
  }
}
