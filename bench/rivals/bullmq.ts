import { createPostgresBackend, Queue, Worker } from 'bullmq'
import pg from 'pg'
import { type Contender, type JobData, mainType, perform } from '../queues/contender.ts'

/** Default: one job at a time. Fastest: concurrency by search (8 to 32 differ little). It claims one job a statement either way. */
export const contender = (isDefault: boolean): Contender => ({
  async install(connectionString) {
    const queue = new Queue(mainType, { connection: { connectionString, migrate: true } as never }, createPostgresBackend as never)
    await queue.waitUntilReady()
    await queue.close()
  },
  async openProducer(connectionString, connections) {
    const queues = new Map<string, Queue>()
    const queueOf = (type: string) => {
      const queue =
        queues.get(type) ?? new Queue(type, { connection: { connectionString, max: connections } as never }, createPostgresBackend as never)
      queues.set(type, queue)
      return queue
    }
    await queueOf(mainType).waitUntilReady()
    return {
      async enqueue(data) {
        await queueOf(mainType).add('job', data)
      },
      async enqueueMany(items, { type, delayMs, once }) {
        const opts = { ...(delayMs ? { delay: delayMs } : {}), attempts: once ? 1 : 3 }
        await queueOf(type).addBulk(items.map((data) => ({ name: 'job', data, opts })))
      },
      async close() {
        for (const queue of queues.values()) await queue.close()
      },
    }
  },
  async startWorker(settings) {
    const connection = { connectionString: settings.connectionString, max: 10 } as never
    const options = { connection, concurrency: isDefault ? 1 : 16 }
    const worker = new Worker(settings.type, (job) => perform(settings, job.data as JobData), options, createPostgresBackend as never)
    worker.on('error', () => {}) // the server stops before the last socket is closed
    await worker.waitUntilReady()
    return { stop: () => worker.close() }
  },
  client: pg.Client,
  isClaim: (sql) => /move_to_active|move_to_finished/.test(sql),
  isDrainedSql: `select not exists (select from bullmq.job where state not in ('completed', 'failed'))`,
  takenSql: `select count(*)::int from bullmq.job where state = 'active'`,
  tables: ['bullmq.job'],
  lease: '30 s, renewed',
})
