import type { FileHandle } from 'node:fs/promises'
import { createWorker } from '@sidelinja/jobs-core/worker'
import { createServices, type FileRoot } from '@sidelinja/jobs-kit'
import type { StorageDatabase } from '@sidelinja/jobs-kit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createHandler } from '../src/handler.ts'
import type { RunLimits } from '../src/read-log.ts'

/**
 * A worker process that ends itself with SIGKILL at one point of a run: the argument says at which, and which time it gets there.
 */
export interface KilledWorkerOptions {
  connectionString: string
  logRoot: string
  /** The database's time, as the handler is told. */
  now: string
  limits: RunLimits
  point: KillPoint
  /** 1: the first time. */
  time: number
}

export const killPoints = [
  'before the log is opened',
  'in the middle of reading',
  'before the transaction',
  'after the checkpoint was moved',
  'after the listeners were written',
  'after the continuation was enqueued',
  'before the commit',
  'after the commit',
] as const

export type KillPoint = (typeof killPoints)[number]

function run({ connectionString, logRoot, now, limits, point, time }: KilledWorkerOptions): void {
  let times = 0
  const reach = (here: KillPoint) => {
    if (here === point && ++times === time) process.kill(process.pid, 'SIGKILL')
  }
  watchStatements(reach)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }) })
  const { logs, collections, statistics } = createServices({ db: db as StorageDatabase, logRoot })
  const services = { logs: watchFiles(logs, reach), collections, statistics: { ...statistics, now: async () => new Date(now) } }
  const worker = createWorker({
    connection: connectionString,
    handlers: [createHandler(services, limits)],
    leaseMs: 1000,
    pollIntervalMs: 50,
  })
  void worker.start()
}

/** What the transaction of `write` sends, as its statements pass the driver. */
function watchStatements(reach: (point: KillPoint) => void): void {
  const { query } = pg.Client.prototype
  const writing = new WeakSet<object>()
  const watched = async function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { text: string }]
    const text = typeof config === 'string' ? config : config.text
    if (text.includes("set_config('jobs.run'")) {
      reach('before the transaction')
      writing.add(this)
    }
    if (text === 'commit' && writing.has(this)) reach('before the commit')
    const answer = await Reflect.apply(query, this, args)
    if (/(?:insert into|update) "podcast_log_checkpoints"/.test(text)) reach('after the checkpoint was moved')
    if (/insert into podcast_listener_days/.test(text)) reach('after the listeners were written')
    if (/from enqueue_job\(/.test(text)) reach('after the continuation was enqueued')
    if (text === 'commit' && writing.has(this)) reach('after the commit')
    return answer
  }
  Object.assign(pg.Client.prototype, { query: watched })
}

function watchFiles(logs: FileRoot, reach: (point: KillPoint) => void): FileRoot {
  const open = async (path: string) => {
    reach('before the log is opened')
    return watchReads(await logs.open(path), reach)
  }
  return {
    ...logs,
    open,
    resolve: (path) => ({ path: logs.resolve(path).path, open: () => open(path) }),
    list: async (folder) => (await logs.list(folder)).map(({ path }) => ({ path, open: () => open(path) })),
  }
}

function watchReads(handle: FileHandle, reach: (point: KillPoint) => void): FileHandle {
  return new Proxy(handle, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        // A chunk, not the head.
        if (name === 'read' && Number(args[2]) > 100_000) reach('in the middle of reading')
        return Reflect.apply(value, target, args)
      }
    },
  })
}

if (import.meta.main) run(JSON.parse(process.argv[2] ?? ''))
