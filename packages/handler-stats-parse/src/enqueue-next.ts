import { enqueue } from '@sidelinja/jobs-core'
import type { RunningJob, WriteTransaction } from '@sidelinja/jobs-core/worker'
import { type Payload, statsParse, statsParseKey } from './job.ts'

const MINUTE_MS = 60_000

export interface NextOptions {
  job: RunningJob
  /** The database's time. */
  now: Date
  /** True when this run has left lines. */
  more: boolean
  /** The collection's period; undefined: none. */
  everyMinutes: number | undefined
}

/**
 * Enqueues the job that goes on with the log: at once when lines are left, else after the collection's period. Of a log at most one job
 * waits; when lines are left, one that waits for later is brought forward.
 */
export async function enqueueNext(trx: WriteTransaction, payload: Payload, { job, now, more, everyMinutes }: NextOptions): Promise<void> {
  if (!more && everyMinutes === undefined) return
  await enqueue(trx, statsParse, payload, {
    collectionNodeId: job.collectionNodeId,
    priority: job.priority,
    maxAttempts: job.maxAttempts,
    correlationId: job.correlationId ?? undefined,
    scheduledFor: more ? undefined : new Date(now.getTime() + (everyMinutes ?? 0) * MINUTE_MS),
    unique: { key: statsParseKey(payload), until: 'claimed', onConflict: more ? 'debounce' : 'keep' },
  })
}
