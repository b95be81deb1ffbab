import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { PostgresBinaries } from './binaries.ts'
import { explainFailure, type FailureContext } from './explain-failure.ts'
import type { Runner } from './runner.ts'

const RECHECK_MS = 20
const LOG_LENGTH = 8000
const FAST_STOP_MS = 10_000

export interface ServerProcess {
  /** Resolves when the server is gone, whoever ended it. */
  readonly exited: Promise<void>
  /** The end of what it wrote to stderr. */
  log(): string
  stop(): Promise<void>
}

export interface LaunchOptions {
  dataFolder: string
  /** Settings as `name=value`. */
  settings: readonly string[]
  /** Where it will answer. */
  address: pg.ClientConfig
  /** What a failure's sentence may name. */
  failure: FailureContext
  signal: AbortSignal
}

/** Starts `postgres` and returns when it answers. */
export async function launchServer(binaries: PostgresBinaries, runner: Runner, options: LaunchOptions): Promise<ServerProcess> {
  const { file, args } = runner.wrap(binaries.postgres, [
    '-D',
    options.dataFolder,
    ...options.settings.flatMap((setting) => ['-c', setting]),
  ])
  // Its own process group: a terminal's Ctrl-C goes to the group, and would end the database before those who use it.
  const child = spawn(file, args, {
    ...runner.ids,
    detached: process.platform !== 'win32',
    cwd: options.dataFolder,
    // biome-ignore lint/style/noProcessEnv: passed on whole to the program, not read
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const server = observe(child, binaries, options.dataFolder)
  try {
    await answers(child, server, options)
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

function observe(child: ChildProcess, binaries: PostgresBinaries, dataFolder: string): ServerProcess {
  let log = ''
  child.stderr?.on('data', (text) => {
    log = (log + text).slice(-LOG_LENGTH)
  })
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', (error) => {
      log += `${error.message}\n`
      resolve()
    })
  })
  return {
    exited,
    log: () => log,
    async stop() {
      if (child.pid === undefined || isOver(child)) return
      // Windows knows no SIGINT between processes.
      if (process.platform === 'win32')
        await promisify(execFile)(binaries.pg_ctl, ['-D', dataFolder, '-m', 'fast', '-w', 'stop']).catch(() => {})
      else child.kill('SIGINT')
      const insist = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS)
      await exited
      clearTimeout(insist)
    },
  }
}

async function answers(child: ChildProcess, server: ServerProcess, options: LaunchOptions): Promise<void> {
  while (!(await canConnect(options.address))) {
    if (child.pid === undefined || isOver(child)) {
      await server.exited
      throw explainFailure(server.log(), {
        ...options.failure,
        cause: new Error(`postgres ended with ${child.exitCode ?? child.signalCode}`),
      })
    }
    await Promise.race([sleep(RECHECK_MS, undefined, { signal: options.signal }), server.exited])
  }
}

async function canConnect(address: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...address, ssl: false })
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

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
