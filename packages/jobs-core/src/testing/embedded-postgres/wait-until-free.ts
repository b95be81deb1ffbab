import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { disclaimFolder, isAlive, type Owner, readOwner } from './owner.ts'

/** How long a server, or the process it belongs to, that is on its way out may take. */
const PATIENCE_MS = 10_000
/** And one that lives: a process that has just been killed takes a moment to be gone. */
const BRIEF_PATIENCE_MS = 500
const RECHECK_MS = 25
/** A server that was recovering from a crash may never obey a polite signal; what it had committed is safe all the same. */
const BEFORE_FORCE_MS = 3_000

/**
 * Returns when no server serves the data folder. One that is shutting down is waited for, one whose process was killed is shut down,
 * and the note of a server that is gone is removed. A live one is an error.
 */
export async function waitUntilFree(dataFolder: string, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const note = await readPidFile(dataFolder)
    const server = await findServer(dataFolder, note)
    if (server === undefined) break
    const owner = await readOwner(dataFolder)
    const isLeaving = note?.status === 'stopping' || owner?.alive === false
    if (performance.now() - startedAt > (isLeaving ? PATIENCE_MS : BRIEF_PATIENCE_MS)) throw inUse(dataFolder, server, owner)
    if (owner?.alive === false) end(server, performance.now() - startedAt > BEFORE_FORCE_MS ? 'SIGQUIT' : 'SIGINT')
    await sleep(RECHECK_MS, undefined, { signal })
  }
  await disclaimFolder(dataFolder)
  // PostgreSQL itself would refuse while any other process has the number of the dead one, which is the rule after a container restarts.
  if (process.platform === 'linux') await rm(join(dataFolder, 'postmaster.pid'), { force: true })
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, which is what was wanted.
  }
}

interface PidFile {
  pid: number
  status: string
}

async function readPidFile(dataFolder: string): Promise<PidFile | undefined> {
  const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return lines[0] ? { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' } : undefined
}

/** A PostgreSQL process that works in the folder: on Linux seen by its working directory, elsewhere by its own note. */
async function findServer(dataFolder: string, note: PidFile | undefined): Promise<number | undefined> {
  if (!existsSync(dataFolder)) return undefined
  if (process.platform !== 'linux') return note && isAlive(note.pid) ? note.pid : undefined
  const folder = await realpath(dataFolder)
  const servers: number[] = []
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isServer(name, folder))) servers.push(Number(name))
  }
  return servers.find((pid) => pid === note?.pid) ?? servers[0]
}

async function isServer(pid: string, folder: string): Promise<boolean> {
  // A process that ends meanwhile, or belongs to another user, is not ours to see.
  const comm = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return comm.startsWith('postgres') && (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === folder
}

/** The process that started a server ends it in order, so that is the one to be ended while it lives. */
function inUse(dataFolder: string, server: number, owner: Owner | undefined): ConfigurationError {
  const starter = owner?.alive && owner.here ? owner.pid : undefined
  const by = owner === undefined ? '' : `, started by process ${owner.pid}${owner.here ? '' : ' of another container'}`
  const how = starter === process.pid ? 'stop() that one first' : `End that one first (kill -INT ${starter ?? server})`
  return new ConfigurationError(
    'DATA_FOLDER_IN_USE',
    `${dataFolder} is already served by a PostgreSQL (process ${server}${by}). ${how}, or use another folder.`,
  )
}
