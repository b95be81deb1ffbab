import { appendFile, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, insertNode, runHandler, type TestServer } from '@sidelinja/jobs-core/testing'
import type { HandlerContext, HandlerReturn } from '@sidelinja/jobs-core/worker'
import { type CollectionSettingsInput, createServices } from '@sidelinja/jobs-kit'
import { listDownloads } from '@sidelinja/jobs-kit/storage'
import type { Kysely } from 'kysely'
import { createHandler } from '../src/handler.ts'
import type { Result } from '../src/job.ts'
import type { RunLimits } from '../src/read-log.ts'

/** Folder of the recorded logs. */
export const fixtures = join(import.meta.dirname, 'fixtures')

/** The collection whose log the samples are: DESIGN's durations. */
export const sampleSettings: CollectionSettingsInput = {
  statistics: { mediaPrefixes: ['/media/'], episodes: { '/media/ep001.mp3': { durationS: 720 }, '/media/ep002.mp3': { durationS: 117 } } },
}

/** Two hours after the samples' last line. */
export const sampleNow = new Date('2026-11-30T20:08:49Z')

/** A database, an empty log folder and a handler of their own. */
export async function setup(server: TestServer) {
  const database = await createTestDatabase(server)
  const logRoot = await mkdtemp(join(tmpdir(), 'stats-parse-'))
  const services = createServices({ db: database.db, logRoot })

  // Typed for its tables, which `write` is not.
  const db = database.db as unknown as Kysely<unknown>

  const handlerAt = (now: Date, limits?: RunLimits) =>
    createHandler(
      {
        logs: services.logs,
        collections: services.collections,
        statistics: { ...services.statistics, now: async () => now },
      },
      limits,
    )

  const start = async (collection: string, { logPath = 'access.log', now = sampleNow, signal, writeTo }: RunOptions = {}) => {
    const handler = handlerAt(now)
    let write: HandlerReturn['write']
    const run = async (context: HandlerContext<unknown>) => {
      const returned = await handler.run(context)
      write = returned?.write
      return returned
    }
    const { result } = await runHandler(
      { ...handler, run },
      { payload: { logPath }, job: { collectionNodeId: collection }, ...(writeTo && { db: writeTo }), ...(signal && { signal }) },
    )
    return { result: result as Result, write }
  }

  return {
    ...database,
    logRoot,
    handlerAt,
    /** The slow part only: `commit` its `write` afterwards, or let it fall. */
    read: start,
    commit: (write: HandlerReturn['write'], afterwards?: () => Promise<void>) =>
      db.transaction().execute(async (trx) => {
        await write?.(trx)
        await afterwards?.()
      }),
    async insertCollection(settings: CollectionSettingsInput = sampleSettings): Promise<string> {
      return (await insertNode(database.db, { metadata: JSON.stringify({ jobs: settings }) })).id
    },
    /** A whole run, as the queue makes it: read, then write in one transaction. */
    run: async (collection: string, options: RunOptions = {}) => (await start(collection, { ...options, writeTo: db })).result,
    /** Puts a fixture, or a text, where the handler finds it. */
    copyLog: (fixture: string, name = 'access.log') => copyFile(join(fixtures, fixture), join(logRoot, name)),
    writeLog: (content: string | Buffer, name = 'access.log') => writeFile(join(logRoot, name), content),
    appendLog: (content: string, name = 'access.log') => appendFile(join(logRoot, name), content),
    /** Counts as `[episode, day, app, downloads]`. */
    async downloads(collection: string) {
      const counts = await listDownloads(database.db, collection)
      return counts.map(({ episode, day, app, downloads }) => [episode, day, app, downloads])
    },
    /** Every row of every table, as text. */
    async dump(): Promise<string> {
      const tables = await database.pool.query(
        `select format('%I', tablename) as name from pg_tables where schemaname = current_schema() order by 1`,
      )
      const texts = await Promise.all(
        tables.rows.map(({ name }) => database.pool.query(`select '${name}' || t::text as line from ${name} t`)),
      )
      return texts.flatMap(({ rows }) => rows.map(({ line }) => line)).join('\n')
    },
    async count(table: string): Promise<number> {
      const { rows } = await database.pool.query(`select count(*)::int as count from ${table}`)
      return rows[0].count
    },
    async drop() {
      await database.drop()
      await rm(logRoot, { recursive: true })
    },
  }
}

interface RunOptions {
  logPath?: string
  /** The database's time, as the handler is told. */
  now?: Date
  signal?: AbortSignal
  writeTo?: Kysely<unknown>
}

/** One line of an access log, as current Caddy writes it. */
export function accessLine({
  at = '2026-11-30T18:00:00Z',
  address = '203.0.113.1',
  agent = 'AntennaPod/3.4.0',
  uri = '/media/ep002.mp3',
  size = 937_526,
} = {}): string {
  const line = {
    level: 'info',
    ts: Date.parse(at) / 1000,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: { remote_ip: address, client_ip: address, method: 'GET', uri, headers: { 'User-Agent': [agent] } },
    size,
    status: 200,
    resp_headers: { 'Content-Type': ['audio/mpeg'], 'Content-Length': ['937526'] },
  }
  return `${JSON.stringify(line)}\n`
}
