import type { Activity } from '../../queue/add-activity.ts'
import type { WorkerEvent } from '../events.ts'

/** So many pairs of collection and type are counted between two flushes; what further ones do is not. */
const most = 20_000

interface Counted extends Activity {
  wait: Map<number, number>
  run: Map<number, number>
}

/** What a worker has counted and not said yet. */
export interface Tally {
  /** Counts what an event tells of; most tell of nothing. */
  count(event: WorkerEvent): void
  /** Counts jobs that failed for good although no handler here ran them. */
  failed(jobs: readonly { collectionNodeId: string; jobType: string }[]): void
  /** Takes out what there is. */
  take(): Activity[]
  /** Adds what was taken and could not be said. */
  add(counted: readonly Activity[]): void
}

/** A map to itself: no clock, no database. */
export function createTally(): Tally {
  let counted = new Map<string, Counted>()

  function of(collectionNodeId: string, jobType: string): Counted | undefined {
    const key = `${collectionNodeId} ${jobType}`
    let found = counted.get(key)
    if (found === undefined && counted.size < most) {
      found = { collectionNodeId, jobType, completed: 0, failed: 0, retried: 0, wait: new Map(), run: new Map() }
      counted.set(key, found)
    }
    return found
  }

  return {
    count(event) {
      switch (event.name) {
        case 'job.started': {
          // Later attempts wait by design.
          const activity = event.attempt === 1 ? of(event.collectionNodeId, event.jobType) : undefined
          if (activity) addTo(activity.wait, bucketOf(event.waitedMs), 1)
          return
        }
        case 'job.completed': {
          const activity = of(event.collectionNodeId, event.jobType)
          if (!activity) return
          activity.completed++
          return addTo(activity.run, bucketOf(event.durationMs), 1)
        }
        case 'job.failed': {
          const activity = of(event.collectionNodeId, event.jobType)
          if (activity) activity[event.final ? 'failed' : 'retried']++
        }
      }
    },
    failed(jobs) {
      for (const { collectionNodeId, jobType } of jobs) {
        const activity = of(collectionNodeId, jobType)
        if (activity) activity.failed++
      }
    },
    take() {
      const taken = [...counted.values()]
      counted = new Map()
      return taken
    },
    add(before) {
      for (const each of before) {
        const activity = of(each.collectionNodeId, each.jobType)
        if (!activity) continue
        for (const name of ['completed', 'failed', 'retried'] as const) activity[name] += each[name]
        for (const name of ['wait', 'run'] as const) for (const [bucket, jobs] of each[name]) addTo(activity[name], bucket, jobs)
      }
    },
  }
}

function addTo(buckets: Map<number, number>, bucket: number, jobs: number): void {
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + jobs)
}

/** Bucket b: at least 2^(b/2) milliseconds, and less than 2^((b+1)/2). */
export function bucketOf(ms: number): number {
  return ms < 1 ? 0 : Math.min(63, Math.floor(2 * Math.log2(ms)))
}
