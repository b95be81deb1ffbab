import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Result, urlIngest } from '@sidelinja/handler-url-ingest/job'
import { enqueue } from '@sidelinja/jobs-core'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres, waitForJob } from '@sidelinja/jobs-core/testing'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import { startGatewayStandIn, startSiteStandIn } from '@sidelinja/jobs-kit/testing'
import pg from 'pg'

/**
 * How long `url_ingest` takes for one large page, and the most memory that a worker has meanwhile; and for a page that takes too much of both, which is given up. Needs /proc.
 * Usage: node --conditions=@sidelinja/source bench/url-ingest.ts [MB=5, at most 5] [dist]
 * `dist` runs the worker from what is built (`npm run build` first); else it runs from source, where stripping types takes 35 MB of memory.
 */
const megabytes = Math.min(5, Math.max(0.01, Number(process.argv[2] ?? 5)))
const bytes = Math.floor(megabytes * 1024 * 1024 * 0.99)
const paragraph = '<p>Dette er et avsnitt av en lang side, som handler om blåbær og tyttebær, og om dem som plukker dem hver høst.</p>\n'
const whole = (body: string) =>
  `<!doctype html><html lang="nb"><head><title>Lang</title></head><body><article>${body}</article></body></html>`

const server = await startEmbeddedPostgres({ durable: true })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
pool.on('error', () => {}) // the server stops before the last socket is closed
const gateway = await startGatewayStandIn()
const site = await startSiteStandIn({
  pages: {
    '/text': whole(paragraph.repeat(Math.ceil(bytes / Buffer.byteLength(paragraph)))).slice(0, bytes),
    '/tags': whole('<div><p>a</p></div>'.repeat(Math.floor(bytes / 19))),
  },
})
try {
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  const { rows } = await pool.query(`insert into nodes (kind, title) values ('collection', 'bench') returning id`)
  for (const path of ['/text', '/tags']) report(path, await measure(path, rows[0].id))
} finally {
  await pool.end()
  await Promise.all([site.close(), gateway.close()])
  await server.stop()
}

async function measure(path: string, collectionNodeId: string) {
  const worker = startWorker()
  try {
    await once(worker.stdout as NodeJS.ReadableStream, 'data') // it says that it has started
    const idleMb = peakMbOf(worker.pid)
    const { id } = await enqueue(pool, urlIngest, { url: `${site.url}${path}` }, { collectionNodeId })
    const job = await waitForJob(pool, id, { timeoutMs: 300_000 })
    if (job.status !== 'completed') throw new Error(`${path} is not read: ${job.error_msg}`)
    return {
      seconds: (Number(job.completed_at) - Number(job.started_at)) / 1_000,
      result: job.result as Result,
      idleMb,
      peakMb: peakMbOf(worker.pid),
    }
  } finally {
    worker.kill()
    await once(worker, 'exit')
  }
}

function report(path: string, { seconds, result, idleMb, peakMb }: Awaited<ReturnType<typeof measure>>): void {
  const read = result.obstacle ?? `${result.characters} characters kept, ${result.parts} parts asked about`
  console.log(`${path}: ${(result.bytes / 1024 / 1024).toFixed(1)} MB in ${seconds.toFixed(1)} s: ${read}`)
  console.log(`  worker's peak RSS ${peakMb.toFixed(0)} MB, idle before ${idleMb.toFixed(0)} MB`)
}

/** A worker that may fetch from the site of this measurement. No worker that is deployed can be told to. */
function startWorker(): ChildProcess {
  const flags = process.argv[3] === 'dist' ? [] : ['--conditions=@sidelinja/source']
  const where = { connectionString: server.connectionString(), gatewayUrl: gateway.url, siteHost: new URL(site.url).host }
  const file = new URL('url-ingest/worker.ts', import.meta.url).pathname
  const own = ['--max-semi-space-size=16', ...flags, file, JSON.stringify(where)]
  return spawn(process.execPath, own, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The kernel's own mark of the most memory a process has had. */
function peakMbOf(pid: number | undefined): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
}
