import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import type { PostgresBinaries } from './binaries.ts'
import { explainFailure, outputOf } from './explain-failure.ts'
import { makeFolder } from './make-folder.ts'
import { claimFolder, removeAbandoned } from './owner.ts'
import type { Runner } from './runner.ts'

export interface DataFolderOptions {
  dataFolder: string
  durable: boolean
  signal: AbortSignal
}

/** Holds the password for TCP connections; on the unix socket none is asked for, since only its owner may enter that folder. */
export const PASSWORD_FILE = 'sidelinja.password'

/**
 * Sees to it that the folder holds a cluster of our major version. A new one is made beside it and renamed into place when it is
 * whole, so an interrupted start never leaves half a cluster.
 */
export async function prepareDataFolder(binaries: PostgresBinaries, runner: Runner, options: DataFolderOptions): Promise<void> {
  const { dataFolder } = options
  try {
    if (await isEmpty(dataFolder)) await create(binaries, runner, options)
    else await check(dataFolder, binaries.major)
    await runner.own(dataFolder)
  } catch (error) {
    options.signal.throwIfAborted()
    if (error instanceof ConfigurationError) throw error
    throw explainFailure(outputOf(error), { dataFolder, asNobody: runner.kind === 'nobody', cause: error })
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  return !existsSync(folder) || (await readdir(folder)).length === 0
}

async function check(dataFolder: string, major: string): Promise<void> {
  const version = await readFile(join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version === '') {
    throw new ConfigurationError(
      'DATA_FOLDER_UNUSABLE',
      `${dataFolder} holds something else than PostgreSQL's data (no PG_VERSION). Expected an empty folder or one made by an earlier start; choose another.`,
    )
  }
  if (version.trim() === major) return
  throw new ConfigurationError(
    'DATA_FOLDER_VERSION',
    `${dataFolder} was made by PostgreSQL ${version.trim()}, and this is PostgreSQL ${major}. Delete the folder to start anew, choose another, or dump its data with version ${version.trim()} and load it here.`,
  )
}

async function create(binaries: PostgresBinaries, runner: Runner, options: DataFolderOptions): Promise<void> {
  const parent = dirname(options.dataFolder)
  const prefix = `.${basename(options.dataFolder)}.new-`
  await makeFolder(parent)
  await removeAbandoned(parent, prefix)
  const scratch = await mkdtemp(join(parent, prefix))
  try {
    await claimFolder(scratch)
    await initialise(binaries, runner, { ...options, dataFolder: scratch })
    await moveInto(join(scratch, 'data'), options.dataFolder)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function initialise(
  binaries: PostgresBinaries,
  runner: Runner,
  { dataFolder: scratch, durable, signal }: DataFolderOptions,
): Promise<void> {
  const data = join(scratch, 'data')
  const passwordFile = join(scratch, 'password')
  const password = randomBytes(18).toString('base64url')
  await mkdir(data, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (runner.kind === 'nobody') await runner.own(scratch)
  const auth = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`]
  const { file, args } = runner.wrap(binaries.initdb, [
    ...['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-instructions', ...auth],
    ...(durable ? [] : ['--no-sync']),
  ])
  // biome-ignore lint/style/noProcessEnv: passed on whole to the program, not read
  await promisify(execFile)(file, args, { ...runner.ids, signal, cwd: scratch, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } })
  await writeFile(join(data, PASSWORD_FILE), password, { mode: 0o600 })
}

/** A start that runs at the same time may be first: then its cluster is the one to use, and this one goes. */
async function moveInto(from: string, to: string): Promise<void> {
  if (process.platform === 'win32' && existsSync(to)) await rmdir(to).catch(() => {})
  try {
    await rename(from, to)
  } catch (error) {
    if (!existsSync(join(to, 'PG_VERSION'))) throw error
  }
}
