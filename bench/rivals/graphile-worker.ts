import { makeWorkerUtils, type RunnerOptions, run, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { type Contender, type JobData, perform } from '../queues/contender.ts'

/** The logger is switched off: a line for each job would be part of the measurement. */
const silent = { scope: () => silent, error() {}, warn() {}, info() {}, debug() {} } as never

/**
 * Default: as its documentation begins, one job at a time. Fastest: what its page on performance describes, a local queue and batched
 * completion; sizes by search (2,000 is not beaten by less or more on this machine).
 */
export const contender = (isDefault: boolean): Contender => ({
  install: (connectionString) => runMigrations({ connectionString, logger: silent }),
  async openProducer(connectionString, connections) {
    const utils = await makeWorkerUtils({ connectionString, maxPoolSize: Math.max(2, connections), logger: silent })
    return {
      async enqueue(data) {
        await utils.addJob('bench', data)
      },
      async enqueueMany(items, { type, delayMs, once }) {
        const options = {
          ...(delayMs ? { runAt: new Date(Date.now() + delayMs), priority: -10 } : {}),
          ...(once ? { maxAttempts: 1 } : {}),
        }
        await utils.addJobs(items.map((payload) => ({ identifier: type, payload, ...options })))
      },
      close: () => utils.release() as Promise<void>,
    }
  },
  async startWorker(settings) {
    const fast: Partial<RunnerOptions> = {
      concurrency: 10,
      preset: { worker: { localQueue: { size: 2_000 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    }
    const runner = await run({
      connectionString: settings.connectionString,
      taskList: { [settings.type]: (payload) => perform(settings, payload as JobData) },
      noHandleSignals: true,
      logger: silent,
      ...(isDefault ? {} : fast),
    })
    return { stop: () => runner.stop() }
  },
  client: pg.Client,
  isClaim: (sql) => /update .*_private_jobs.*set\s+attempts/is.test(sql) && /skip locked/i.test(sql),
  isDrainedSql: `select not exists (select from graphile_worker._private_jobs where attempts < max_attempts)`,
  takenSql: `select count(*)::int from graphile_worker._private_jobs where locked_at is not null`,
  tables: ['graphile_worker._private_jobs'],
  lease: '4 h',
})
