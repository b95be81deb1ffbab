import analyzePackage from '@sidelinja/handler-openrouter-analyze'
import { openrouterAnalyze } from '@sidelinja/handler-openrouter-analyze/job'
import { enqueueMany } from '@sidelinja/jobs-core'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { createServices, type RoughSegment, tidySegments } from '@sidelinja/jobs-kit'
import { handlerMigrations, replaceSegments } from '@sidelinja/jobs-kit/storage'
import { gatewayReply, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/**
 * What one question to the AI gateway costs beside the gateway's own time: whole `openrouter_analyze` jobs, one after the other, through a worker and an embedded
 * PostgreSQL with durable commits, against the same request sent bare. The gateway is a stand-in that answers at once, in this process.
 * Usage: node --conditions=@sidelinja/source bench/ask-gateway.ts [jobs=300, at most 5000]
 */
const jobs = Math.min(5_000, Math.max(10, Number(process.argv[2] ?? 300)))

const server = await startEmbeddedPostgres({ durable: true })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 4 })
pool.on('error', () => {}) // the server stops before the last socket is closed
const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
const reply = gatewayReply(
  JSON.stringify({ title: 'Om banen', description: 'Om banen.', summary: 'Banen.', chapters: [], topics: [], people: [], quotes: [] }),
)
const gateway = await startGatewayStandIn({ answer: () => reply })
try {
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  const perJobMs = await runJobs()
  const bareMs = await sendBare(gateway.requests[0]?.body ?? '')
  console.log(`${jobs} jobs, one after the other, one question each: ${perJobMs.toFixed(2)} ms a job`)
  console.log(`the same request sent bare: ${bareMs.toFixed(2)} ms`)
  console.log(
    `beside the gateway's time: ${(perJobMs - bareMs).toFixed(2)} ms a question, everything included: claim, settle, transcript, step, record of the call`,
  )
} finally {
  await gateway.close()
  await pool.end()
  await server.stop()
}

async function runJobs(): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(`insert into nodes (kind) values ('collection'), ('episode') returning id`)
  const [collectionNodeId, mediaNodeId] = rows.map(({ id }) => id) as [string, string]
  const rough = Array.from(
    { length: 20 },
    (_, n): RoughSegment => ({ startMs: n * 5_000, endMs: n * 5_000 + 5_000, text: `Setning ${n} om banen.` }),
  )
  const transcript = { jobId: null, language: 'nb', segments: tidySegments(rough) }
  await db.transaction().execute((trx) => replaceSegments(trx, collectionNodeId, mediaNodeId, transcript))
  await enqueueMany(pool, openrouterAnalyze, Array(jobs).fill({ payload: { mediaNodeId } }), { collectionNodeId })

  const services = createServices({ db, gateway: { url: new URL(gateway.url) } })
  const done = Promise.withResolvers<void>()
  let left = jobs
  const worker = createWorker({
    ...{ connection: server.connectionString(), handlers: [analyzePackage.createHandler(services)], maxConcurrent: 1 },
    onEvent: (event) => {
      if (event.name === 'job.failed') done.reject(new Error(event.error.message))
      if (event.name === 'job.completed' && --left === 0) done.resolve()
    },
  })
  const started = performance.now()
  await worker.start()
  await done.promise
  const ms = performance.now() - started
  await worker.stop()
  return ms / jobs
}

async function sendBare(body: string): Promise<number> {
  const started = performance.now()
  for (let call = 0; call < jobs; call++) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', connection: 'close' },
    })
    await response.json()
  }
  return (performance.now() - started) / jobs
}
