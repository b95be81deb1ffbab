import { defineJob, enqueueMany } from '@sidelinja/jobs-core'
import { migrate } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import { createWorker, defineHandler, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import pg from 'pg'
import { z } from 'zod'

/**
 * Jobs per second through one worker process with handlers that do nothing, on an embedded PostgreSQL with durable commits.
 * Usage: node --conditions=@sidelinja/source bench/no-op-drain.ts [jobs=50000] [rounds=3] [slots=10]
 */
const [jobs = 50_000, rounds = 3, slots = 10] = process.argv.slice(2).map(Number)
const noop = defineJob({ type: 'noop', payload: z.object({ n: z.number() }) })

const server = await startEmbeddedPostgres({ durable: true })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
pool.on('error', () => {}) // the server stops before the last socket is closed
try {
  await migrate(pool)
  const { rows } = await pool.query(`insert into nodes (kind, title) values ('collection', 'bench') returning id`)
  const rates: number[] = []
  for (let round = 1; round <= rounds; round++) rates.push(await drain(rows[0].id))
  const sorted = rates.toSorted((a, b) => a - b)
  console.log(
    `no-op drain, ${jobs} jobs, ${slots} slots, 1 process: median ${sorted[Math.floor(rounds / 2)]} jobs/s (${sorted[0]}–${sorted.at(-1)})`,
  )
} finally {
  await pool.end()
  await server.stop()
}

async function drain(collectionNodeId: string): Promise<number> {
  const enqueueStart = performance.now()
  for (let from = 0; from < jobs; from += 5_000) {
    const items = Array.from({ length: Math.min(5_000, jobs - from) }, (_, n) => ({ payload: { n: from + n } }))
    await enqueueMany(pool, noop, items, { collectionNodeId })
  }
  const enqueuedPerS = Math.round(jobs / ((performance.now() - enqueueStart) / 1000))
  await pool.query('vacuum analyze job_queue')
  let done = 0
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const onEvent = (event: WorkerEvent) => {
    if (event.name === 'job.completed' && ++done === jobs) finish()
  }
  const worker = createWorker({
    connection: server.connectionString(),
    handlers: [defineHandler(noop, async () => {})],
    maxConcurrent: slots,
    onEvent,
  })
  const start = performance.now()
  await worker.start()
  await finished
  const perS = Math.round(jobs / ((performance.now() - start) / 1000))
  await worker.stop()
  console.log(`enqueue ${enqueuedPerS}/s, drain ${perS}/s`)
  return perS
}
