import { randomUUID } from 'node:crypto'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import pg from 'pg'
import type { Contender } from '../contender.ts'
import { type ContenderName, loadContender } from '../contenders.ts'
import type { WorkerOrder } from './messages.ts'
import { type ProducerProcess, spawnProducer, spawnWorker, type WorkerProcess } from './process.ts'

/** One PostgreSQL for all contenders: durable commits, settings as they come. */
export interface Arena {
  /** What the server is. */
  readonly version: string
  /** A database with the contender's schema, for one cell; gone, with the processes that were started in it, when `fn` is done. */
  within<T>(name: ContenderName, fn: (stage: Stage) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** What a measurement has at its disposal. */
export interface Stage {
  readonly name: ContenderName
  readonly contender: Contender
  readonly connectionString: string
  /** As a superuser. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Another connection as a superuser; closed at the end. */
  connect(): Promise<pg.Client>
  worker(order?: Partial<Omit<WorkerOrder, 'role' | 'contender' | 'connectionString'>>): Promise<WorkerProcess>
  producer(): Promise<ProducerProcess>
  /** Resolves when nothing waits or runs. */
  untilDrained(): Promise<void>
  /** Vacuumed, analyzed, written out: what was filled in does not disturb what is measured. */
  settle(): Promise<void>
}

export async function openArena(): Promise<Arena> {
  const server = await startEmbeddedPostgres({ durable: true })
  const admin = new pg.Pool({ connectionString: server.connectionString(), max: 1 })
  admin.on('error', () => {}) // the server stops before the last socket is closed
  const { rows } = await admin.query('show server_version')
  const templates = new Map<ContenderName, string>()
  /** A database with the contender's schema, to be copied: made once. */
  async function templateOf(name: ContenderName): Promise<string> {
    const known = templates.get(name)
    if (known) return known
    const template = `template_${templates.size}`
    await admin.query(`create database ${template}`)
    await (await loadContender(name)).install(server.connectionString(template))
    templates.set(name, template)
    return template
  }
  return {
    version: `PostgreSQL ${rows[0].server_version}`,
    async within(name, fn) {
      const database = `bench_${randomUUID().replaceAll('-', '')}`
      await admin.query(`create database ${database} template ${await templateOf(name)}`)
      try {
        return await onStage(name, server, database, fn)
      } finally {
        await admin.query(`drop database ${database} with (force)`)
      }
    },
    async stop() {
      await admin.end()
      await server.stop()
    },
  }
}

async function onStage<T>(name: ContenderName, server: EmbeddedPostgres, database: string, fn: (stage: Stage) => Promise<T>): Promise<T> {
  const connectionString = server.connectionString(database)
  const contender = await loadContender(name)
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {})
  const clients: pg.Client[] = []
  const workers: WorkerProcess[] = []
  const producers: ProducerProcess[] = []
  const query = async <Row>(sql: string, values?: unknown[]) => (await pool.query(sql, values)).rows as Row[]
  const ask = async (sql: string) => Object.values((await query<Record<string, unknown>>(sql))[0] ?? {})[0]
  const stage: Stage = {
    name,
    contender,
    connectionString,
    query,
    async connect() {
      const client = new pg.Client({ connectionString })
      client.on('error', () => {})
      await client.connect()
      clients.push(client)
      return client
    },
    async worker(order) {
      const worker = await spawnWorker({ contender: name, connectionString, type: 'bench', task: 'no-op', failEvery: 0, ...order })
      workers.push(worker)
      return worker
    },
    async producer() {
      const producer = await spawnProducer({ contender: name, connectionString })
      producers.push(producer)
      return producer
    },
    async untilDrained() {
      while ((await ask(contender.isDrainedSql)) !== true) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    async settle() {
      await query('vacuum (analyze)')
      await query('checkpoint')
    },
  }
  try {
    return await fn(stage)
  } finally {
    await Promise.allSettled([...producers.map((producer) => producer.stop()), ...workers.map((worker) => worker.kill())])
    await Promise.allSettled([...clients.map((client) => client.end()), pool.end()])
  }
}
