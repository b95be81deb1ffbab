import { defineJob, enqueue, enqueueMany } from '@sidelinja/jobs-core'
import { migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { createWorker, defineHandler } from '@sidelinja/jobs-core/worker'
import pg from 'pg'
import { z } from 'zod'
import { type Contender, type JobData, mainType, otherType, perform } from './contender.ts'

const COLLECTION = '0192a000-0000-7000-8000-000000000001'
const definition = (type: string) => defineJob({ type, payload: z.object({ n: z.number(), atMs: z.number().optional() }) })
const definitions = new Map([mainType, otherType].map((type) => [type, definition(type)]))

/**
 * This queue, as it is deployed: under row-level security, the worker as queue_worker, what enqueues as queue_enqueue.
 * Leases, fences, history, steps and the counting for the charts are on; nothing of it can be switched off. Its fastest configuration
 * differs from the default in the number of slots alone.
 */
export const contender = (isDefault: boolean): Contender => ({
  async install(connectionString) {
    const pool = new pg.Pool({ connectionString, max: 2 })
    try {
      await migrate(pool, { sources: [queueMigrations, roleMigrations] })
      for (const [login, group] of Object.entries({ bench_worker: 'queue_worker', bench_producer: 'queue_enqueue' }))
        await pool.query(`do $$ begin
          create role ${login} login in role ${group};
        exception when duplicate_object then null; end $$`)
      await pool.query(`insert into nodes (id, kind, title) values ($1, 'collection', 'bench')`, [COLLECTION])
    } finally {
      await pool.end()
    }
  },
  async openProducer(connectionString, connections) {
    const pool = new pg.Pool({ connectionString: as('bench_producer', connectionString), max: connections })
    const scope = { collectionNodeId: COLLECTION }
    return {
      async enqueue(data) {
        await enqueue(pool, definitionOf(mainType), data, scope)
      },
      async enqueueMany(items, { type, delayMs, once }) {
        const options = {
          ...(delayMs ? { scheduledFor: new Date(Date.now() + delayMs), priority: 10 } : {}),
          ...(once ? { maxAttempts: 1 } : {}),
        }
        const jobs = items.map((payload) => ({ payload }))
        await enqueueMany(pool, definitionOf(type), jobs, { ...scope, ...options })
      },
      close: () => pool.end(),
    }
  },
  async startWorker(settings) {
    const handler = defineHandler(definitionOf(settings.type), ({ payload }) => perform(settings, payload as JobData))
    const worker = createWorker({
      connection: as('bench_worker', settings.connectionString),
      handlers: [handler],
      ...(isDefault ? {} : { maxConcurrent: 10 }),
      strictRoles: true,
    })
    await worker.start()
    return { stop: () => worker.stop() }
  },
  client: pg.Client,
  isClaim: (sql) => sql.includes('job_workers') && sql.includes('took as'),
  isDrainedSql: `select not exists (select from job_queue where ready and not parked)
    and not exists (select from job_workers w join job_queue q on not q.ready and q.worker_id = w.id and q.claim >= w.held_from and q.status = 'running')`,
  takenSql: `select count(*)::int from job_queue where status = 'running'`,
  tables: ['job_queue', 'job_workers'],
  fillFinishedSql: `insert into job_queue (collection_node_id, job_type, payload, status, attempts, run, started_at, completed_at, worker_id, claim)
    select '${COLLECTION}', '${mainType}', jsonb_build_object('n', n), 'completed', 1, 1, now(), now(), '0192a000-0000-7000-8000-000000000002', n
    from generate_series(1, $1::int) n`,
  lease: '30 s, renewed',
})

function definitionOf(type: string) {
  const found = definitions.get(type)
  if (!found) throw new Error(`No job type ${type} in this measurement.`)
  return found
}

const as = (login: string, connectionString: string) => Object.assign(new URL(connectionString), { username: login }).toString()
