import { enqueue } from '@sidelinja/jobs-core'
import { createWorker, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import type { Bench, Check } from '../conformance.ts'

const POLL_INTERVAL_MS = 100
const ENDINGS: readonly WorkerEvent['name'][] = ['job.completed', 'job.failed', 'job.snoozed', 'job.cancelled', 'job.released', 'job.gone']

/** The whole way: enqueued, claimed by a real worker, settled together with its rows, on the first attempt. */
export const inAWorkerCheck: Check = {
  name: 'completes on its first attempt in a worker',
  async run(bench: Bench) {
    const { collectionNodeId, payload } = await bench.arrange()
    const { id } = await enqueue(bench.database.db, bench.options.package.definition, payload, { collectionNodeId })
    await firstAttempt(bench)
    const { rows } = await bench.database.pool.query<{ status: string; error_msg: string | null }>(
      'select status, error_msg from job_queue where id = $1',
      [id],
    )
    const [job] = rows
    return job?.status === 'completed' ? [] : [`After its first attempt the job is ${job?.status}: ${job?.error_msg}`]
  },
}

/** Runs a worker until it has settled one attempt. */
async function firstAttempt({ database, handler }: Bench): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const worker = createWorker({
    connection: database.connectionString,
    handlers: [handler],
    pollIntervalMs: POLL_INTERVAL_MS,
    onEvent: ({ name }) => ENDINGS.includes(name) && ended.resolve(),
  })
  try {
    await worker.start()
    await ended.promise
  } finally {
    await worker.stop()
  }
}
