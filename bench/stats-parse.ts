import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { statsParse } from '@sidelinja/handler-stats-parse/job'
import { enqueue } from '@sidelinja/jobs-core'
import { migrate, queueMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import pg from 'pg'
import { accessLog, collectionSettings } from './stats-parse/access-log.ts'
import type { WorkerFigures, WorkerTask } from './stats-parse/worker.ts'

/**
 * How fast `stats_parse` counts a log, through a real worker process and an embedded PostgreSQL with durable commits; against what merely
 * splitting the same file into lines and parsing each as JSON takes. Of the worker: peak memory, and how long its event loop was held.
 * Usage: node --conditions=@sidelinja/source bench/stats-parse.ts [megabytes=16, at most 4096] [dist]
 * `dist` runs the worker from the built packages, as it is deployed: stripping types takes 35 MB of memory.
 */
const megabytes = Math.min(4096, Math.max(1, Number(process.argv[2] ?? 16)))

/** docs/operations.md: on a large machine Node lets a process keep 130 MB for objects that are already dead. */
const SMALL_NEW_SPACE = '--max-semi-space-size=16'

const folder = await mkdtemp(join(tmpdir(), 'bench-stats-parse-'))
const server = await startEmbeddedPostgres({ durable: true })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
pool.on('error', () => {}) // the server stops before the last socket is closed
try {
  const lines = await writeLog(join(folder, 'access.log'), megabytes)
  const bareMbPerS = await bareRate(join(folder, 'access.log'))
  const { seconds, ...figures } = await runWorker()
  const mbPerS = megabytes / seconds
  console.log(`log: ${megabytes} MB, ${lines} lines`)
  console.log(`split and JSON.parse alone: ${bareMbPerS.toFixed(0)} MB/s`)
  console.log(`stats_parse: ${mbPerS.toFixed(0)} MB/s (${seconds.toFixed(1)} s), ${(mbPerS / bareMbPerS).toFixed(2)} of that`)
  const readMbPerS = megabytes / figures.readSeconds
  console.log(
    `  reading and counting ${readMbPerS.toFixed(0)} MB/s, ${(readMbPerS / bareMbPerS).toFixed(2)} of that; writing ${figures.writeSeconds.toFixed(1)} s`,
  )
  console.log(`jobs ${figures.jobs}, lines ${figures.lines}, listeners ${figures.listeners}, downloads ${figures.downloads}`)
  console.log(`peak RSS ${figures.peakRssMb.toFixed(0)} MB (at most 200)`)
  console.log(`event loop held at most ${figures.heldMs.toFixed(0)} ms (at most 200), ${figures.heldCpuMs.toFixed(0)} ms of them at work`)
} finally {
  await pool.end()
  await server.stop()
  await rm(folder, { recursive: true })
}

async function writeLog(path: string, size: number): Promise<number> {
  const file = await open(path, 'w')
  let lines = 0
  let written = 0
  try {
    for (const chunk of accessLog(Date.now())) {
      await file.write(chunk.text)
      lines += chunk.lines
      written += chunk.text.length
      if (written >= size * 1_000_000) return lines
    }
  } finally {
    await file.close()
  }
  return lines
}

/** The floor: nothing is done with what is parsed. */
async function bareRate(path: string): Promise<number> {
  const { size } = await stat(path)
  const file = await open(path)
  const started = performance.now()
  const buffer = Buffer.allocUnsafe(512 * 1024)
  for (let position = 0, held = 0; ; ) {
    const { bytesRead } = await file.read(buffer, held, 256 * 1024, position)
    if (bytesRead === 0) break
    position += bytesRead
    const filled = buffer.subarray(0, held + bytesRead)
    let start = 0
    for (let end = filled.indexOf(10); end !== -1; end = filled.indexOf(10, start)) {
      JSON.parse(filled.toString('utf8', start, end))
      start = end + 1
    }
    held = filled.length - start
    filled.copy(buffer, 0, start)
  }
  const seconds = (performance.now() - started) / 1000
  await file.close()
  return size / 1_000_000 / seconds
}

async function runWorker(): Promise<WorkerFigures> {
  await migrate(pool, { sources: [queueMigrations, handlerMigrations] })
  const { rows } = await pool.query(`insert into nodes (kind, title, metadata) values ('collection', 'bench', $1) returning id`, [
    JSON.stringify({ jobs: collectionSettings() }),
  ])
  await enqueue(pool, statsParse, { logPath: 'access.log' }, { collectionNodeId: rows[0].id })
  const task: WorkerTask = { connectionString: server.connectionString(), logRoot: folder }
  const child = fork(join(import.meta.dirname, 'stats-parse', 'worker.ts'), [JSON.stringify(task)], {
    execArgv: process.argv[3] === 'dist' ? [SMALL_NEW_SPACE] : [SMALL_NEW_SPACE, '--conditions=@sidelinja/source'],
  })
  const [figures] = await once(child, 'message')
  await once(child, 'exit')
  return figures as WorkerFigures
}
