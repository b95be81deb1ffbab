import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError, isJobsError } from '@sidelinja/jobs-core'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import pg from 'pg'
import type { Print } from './playground-run.ts'

export interface PlaygroundDatabase {
  connectionString: string
  /** The same database by TCP, where a port was asked for. */
  tcpConnectionString: string | undefined
  /** A second, empty database of the embedded server, for whatever the sample should not get to see. */
  experimentsConnectionString: string | undefined
  /** False: it is that of DATABASE_URL, whose password must not be shown. */
  ownServer: boolean
  /** One line for the user. */
  description: string
  /** Where this database's sample log is kept: another database has its own, since each counts it once. */
  logRoot: string
  /** Where the sample episode is kept. */
  mediaRoot: string
  /** Resolves when an embedded server has ended by itself. */
  exited: Promise<void>
  stop(): Promise<void>
}

export interface DatabaseOptions {
  state: string
  port: number | undefined
  signal: AbortSignal
  print: Print
}

const NAME = 'sidelinja'
const EXPERIMENTS = 'experiments'
/** A start whose launcher was killed needs a moment to notice and to end. */
const PATIENCE_MS = 3_000
const RECHECK_MS = 250

/** The database of DATABASE_URL, or an embedded server whose data stays in the state folder. */
export async function openDatabase(databaseUrl: string | undefined, options: DatabaseOptions): Promise<PlaygroundDatabase> {
  if (databaseUrl) return given(databaseUrl, options.state)
  const server = await startWhenFree(options)
  try {
    for (const name of [NAME, EXPERIMENTS]) await createDatabase(server.connectionString(), name)
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    connectionString: server.connectionString(NAME),
    tcpConnectionString: server.tcpConnectionString(NAME),
    experimentsConnectionString: server.connectionString(EXPERIMENTS),
    ownServer: true,
    description: `embedded PostgreSQL, data kept in ${join(options.state, 'postgres')}`,
    logRoot: join(options.state, 'logs'),
    mediaRoot: join(options.state, 'media'),
    exited: server.exited,
    stop: () => server.stop(),
  }
}

function given(databaseUrl: string, state: string): PlaygroundDatabase {
  checkAddress(databaseUrl)
  const key = createHash('sha256').update(databaseUrl).digest('hex').slice(0, 8)
  return {
    connectionString: databaseUrl,
    tcpConnectionString: undefined,
    experimentsConnectionString: undefined,
    ownServer: false,
    description: 'the one of DATABASE_URL',
    logRoot: join(state, `logs-${key}`),
    mediaRoot: join(state, 'media'),
    exited: new Promise(() => {}),
    stop: async () => {},
  }
}

/** As the worker does; the address itself is not shown, for it holds a password. */
function checkAddress(databaseUrl: string): void {
  if (/^postgres(ql)?:\/\/./.test(databaseUrl) && URL.canParse(databaseUrl)) return
  throw new ConfigurationError(
    'DATABASE_URL_INVALID',
    'DATABASE_URL is no PostgreSQL address. Expected postgres://user:password@host:5432/database; special characters of the password must be percent-encoded. Or unset it: then an embedded PostgreSQL is used.',
  )
}

async function startWhenFree({ state, port, signal, print }: DatabaseOptions): Promise<EmbeddedPostgres> {
  const deadline = performance.now() + PATIENCE_MS
  const options = { dataFolder: join(state, 'postgres'), durable: true, signal, ...(port === undefined ? {} : { port }) }
  for (let first = true; ; first = false) {
    try {
      return await startEmbeddedPostgres(options)
    } catch (error) {
      if (!isJobsError(error) || error.code !== 'DATA_FOLDER_IN_USE' || performance.now() > deadline) throw error
      if (first) print('Another start uses the data; waiting for it to end …')
      await sleep(RECHECK_MS, undefined, { signal })
    }
  }
}

async function createDatabase(connectionString: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
}
