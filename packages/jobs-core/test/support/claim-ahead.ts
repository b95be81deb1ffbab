import { z } from 'zod'
import { defineJob, enqueue, enqueueMany } from '../../src/index.ts'
import { defineHandler, type Handler } from '../../src/worker/index.ts'
import { type Deferred, deferred } from './deferred.ts'
import type { TestQueue } from './use-queue.ts'

const fast = defineJob({ type: 'fast', payload: z.any() })
const blocks = defineJob({ type: 'blocks', payload: z.any() })

export interface ClaimedAhead {
  /** Ids of the jobs that wait behind the blocking one, marked as prefetched. */
  ids: string[]
  /** Ends the blocking job. */
  ends: Deferred
}

/**
 * A worker with one slot that has claimed jobs ahead: it ran fast jobs, then one that blocks. On a machine under load the jobs may be
 * handed back again before anybody looks; then it is done once more.
 */
export function claimsAhead(queue: TestQueue): { handlers: Handler[]; arrange: () => Promise<ClaimedAhead> } {
  let ends = deferred()
  const handlers = [defineHandler(fast, async () => {}), defineHandler(blocks, () => ends.promise)]
  const shared = () => ({ collectionNodeId: queue.collectionNodeId })

  async function arrange(): Promise<ClaimedAhead> {
    const before = queue.named('job.completed').length
    await enqueueMany(queue.db, fast, Array(200).fill({ payload: 1 }), shared())
    await queue.event('job.completed', () => queue.named('job.completed').length === before + 200)
    const blocking = await queue.db.transaction().execute(async (trx) => {
      await enqueueMany(trx, fast, Array(50).fill({ payload: 2 }), shared())
      return (await enqueue(trx, blocks, 1, { ...shared(), priority: 10 })).id
    })
    await queue.event('job.started', (event) => event.jobId === blocking)
    const { rows } = await queue.pool.query('select id from job_queue where prefetched order by sequence')
    if (rows.length > 0) return { ids: rows.map((row) => row.id), ends }
    ends.resolve()
    ends = deferred()
    await queue.event('job.completed', () => queue.named('job.completed').length === before + 251)
    return arrange()
  }

  return { handlers, arrange }
}
