import { createWorker } from '@sidelinja/jobs-core/worker'
import { createServices } from '@sidelinja/jobs-kit'
import type { StorageDatabase } from '@sidelinja/jobs-kit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createHandler } from '../src/handler.ts'

/** A worker process that ends itself with SIGKILL at one point of a run. */
export interface KilledWorkerOptions {
  connectionString: string
  gatewayUrl: string
  point: KillPoint
}

export const killPoints = [
  'after the first cell',
  'in the middle of the cells',
  'in the middle of the write',
  'before the commit',
  'after the commit',
] as const

export type KillPoint = (typeof killPoints)[number]

function run({ connectionString, gatewayUrl, point }: KilledWorkerOptions): void {
  watchStatements((here) => {
    if (here === point) process.kill(process.pid, 'SIGKILL')
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }) })
  const services = createServices({ db: db as StorageDatabase, gateway: { url: new URL(gatewayUrl) } })
  const worker = createWorker({ connection: connectionString, handlers: [createHandler(services)], leaseMs: 1_000, pollIntervalMs: 50 })
  void worker.start()
}

/** What a run sends, as its statements pass the driver. */
function watchStatements(reach: (point: KillPoint) => void): void {
  const { query } = pg.Client.prototype
  const writing = new WeakSet<object>()
  let steps = 0
  const watched = async function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { text: string }]
    const text = typeof config === 'string' ? config : config.text
    if (text === 'commit' && writing.has(this)) reach('before the commit')
    const answer = await Reflect.apply(query, this, args)
    if (/insert into "?job_steps/.test(text)) {
      steps++
      if (steps === 1) reach('after the first cell')
      if (steps === 5) reach('in the middle of the cells')
    }
    if (/insert into "?prompt_evals/.test(text)) {
      writing.add(this)
      reach('in the middle of the write')
    }
    if (text === 'commit' && writing.has(this)) reach('after the commit')
    return answer
  }
  Object.assign(pg.Client.prototype, { query: watched })
}

if (import.meta.main) run(JSON.parse(process.argv[2] ?? ''))
