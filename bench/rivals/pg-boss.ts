import pg from 'pg'
import { PgBoss, type WorkOptions } from 'pg-boss'
import { type Contender, type JobData, mainType, otherType, perform } from '../queues/contender.ts'

const types = [mainType, otherType]

/**
 * Default: `work(queue, handler)`. Fastest: batches, fetched continuously while they come back full, and woken by NOTIFY; sizes by
 * search. Every job of a batch runs at once.
 */
export const contender = (isDefault: boolean): Contender => {
  const open = async (connectionString: string, options: object) => {
    const boss = new PgBoss({ connectionString, useListenNotify: !isDefault, ...options })
    boss.on('error', () => {}) // the server stops before the last socket is closed
    await boss.start()
    return boss
  }
  return {
    async install(connectionString) {
      const boss = await open(connectionString, {})
      for (const type of types) await boss.createQueue(type, { notify: !isDefault })
      await boss.stop({ graceful: false })
    },
    async openProducer(connectionString, connections) {
      const boss = await open(connectionString, { max: Math.max(2, connections), supervise: false, schedule: false })
      return {
        async enqueue(data) {
          await boss.send(mainType, data)
        },
        async enqueueMany(items, { type, delayMs, once }) {
          const options = {
            ...(delayMs ? { startAfter: new Date(Date.now() + delayMs), priority: 10 } : {}),
            ...(once ? { retryLimit: 0 } : {}),
          }
          await boss.insert(
            type,
            items.map((data) => ({ data, ...options })),
          )
        },
        close: () => boss.stop({ graceful: false }),
      }
    },
    async startWorker(settings) {
      const boss = await open(settings.connectionString, {})
      const fast = { batchSize: 5_000, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }
      const options = { perJobResults: true, ...(isDefault ? {} : fast) } satisfies WorkOptions
      await boss.work<JobData, unknown, typeof options>(settings.type, options, (jobs) =>
        Promise.all(
          jobs.map(({ id, data }) =>
            perform(settings, data).then(
              () => ({ id, status: 'completed' as const }),
              (error) => ({ id, status: 'failed' as const, output: { message: String(error) } }),
            ),
          ),
        ),
      )
      return { stop: () => boss.stop({ graceful: true }) }
    },
    client: pg.Client,
    isClaim: (sql) => /update .*set\s+state = 'active'/is.test(sql),
    isDrainedSql: `select not exists (select from pgboss.job where state < 'completed')`,
    takenSql: `select count(*)::int from pgboss.job where state = 'active'`,
    tables: ['pgboss.job_common', 'pgboss.job'],
    fillFinishedSql: `insert into pgboss.job (name, data, state, started_on, completed_on)
      select '${mainType}', jsonb_build_object('n', n), 'completed', now(), now() from generate_series(1, $1::int) n`,
    lease: '15 min',
  }
}
