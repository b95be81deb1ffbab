import { enqueue } from '@sidelinja/jobs-core'
import type { RunningJob, WriteTransaction } from '@sidelinja/jobs-core/worker'
import { type Payload, statsParse, statsParseKey } from './job.ts'

/**
 * Enqueues the job that goes on at once with the lines this run has left. Of a log at most one job waits: one that waits for later is
 * brought forward.
 */
export async function enqueueNext(trx: WriteTransaction, payload: Payload, job: RunningJob): Promise<void> {
  await enqueue(trx, statsParse, payload, {
    collectionNodeId: job.collectionNodeId,
    priority: job.priority,
    maxAttempts: job.maxAttempts,
    correlationId: job.correlationId ?? undefined,
    unique: { key: statsParseKey(payload), until: 'claimed', onConflict: 'debounce' },
  })
}
