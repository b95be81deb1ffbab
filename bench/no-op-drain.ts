import { defineJob, enqueueMany } from '@sidelinja/jobs-core'
import { migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import { createWorker, defineHandler, type WorkerEvent } from '@sidelinja/jobs-core/worker'
import pg from 'pg'
import { z } from 'zod'

/**
 * Jobs per second through one worker process with handlers that do nothing, on an embedded PostgreSQL with durable commits.
 * Usage: node --conditions=@sidelinja/source bench/no-op-drain.ts [jobs=50000] [rounds=3] [slots=10] [roles]
 * With `roles` each round is run twice: as the superuser, and as queue_worker under row-level security.
 */
const numbers = process.argv.slice(2).filter((argument) => argument !== 'roles')
const [jobs = 50_000, rounds = 3, slots = 10] = numbers.map(Number)
const withRoles = process.argv.includes('roles')
const noop = defineJob({ type: 'noop', payload: z.object({ n: z.number() }) })

const server = await startEmbeddedPostgres({ durable: true })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
pool.on('error', () => {}) // the server stops before the last socket is closed
try {
  await migrate(pool, { sources: withRoles ? [queueMigrations, roleMigrations] : [queueMigrations] })
  if (withRoles) await pool.query('create role bench login in role queue_worker')
  const { rows } = await pool.query(`insert into nodes (kind, title) values ('collection', 'bench') returning id`)
  const users = withRoles ? ['postgres', 'bench'] : ['postgres']
  const rates = new Map<string, number[]>(users.map((user) => [user, []]))
  for (let round = 1; round <= rounds; round++) {
    // In turns, and each as often the first.
    for (const user of round % 2 === 0 ? users : users.toReversed()) rates.get(user)?.push(await drain(rows[0].id, user))
  }
  for (const user of users)
    console.log(`no-op drain as ${user}, ${jobs} jobs, ${slots} slots, 1 process: ${summary(rates.get(user) ?? [])}`)
  if (withRoles) console.log(`bench / postgres, by pairs: ${summary(ratios(rates.get('bench') ?? [], rates.get('postgres') ?? []))}`)
} finally {
  await pool.end()
  await server.stop()
}

function summary(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `median ${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]}–${sorted.at(-1)})`
}

function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.map((value, index) => Math.round((1000 * value) / (below[index] ?? 1)) / 1000)
}

async function drain(collectionNodeId: string, user: string): Promise<number> {
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
    connection: Object.assign(new URL(server.connectionString()), { username: user }).toString(),
    handlers: [defineHandler(noop, async () => {})],
    maxConcurrent: slots,
    onEvent,
  })
  const start = performance.now()
  await worker.start()
  await finished
  const perS = Math.round(jobs / ((performance.now() - start) / 1000))
  await worker.stop()
  console.log(`${user}: enqueue ${enqueuedPerS}/s, drain ${perS}/s`)
  return perS
}
