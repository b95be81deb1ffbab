import { readFileSync, readlinkSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const OWNER_FILE = 'sidelinja.owner'

/** Notes in the folder that it belongs to this process. */
export async function claimFolder(folder: string): Promise<void> {
  await writeFile(join(folder, OWNER_FILE), `${process.pid} ${startedAt(process.pid)} ${pidNamespace()}`)
}

/** Takes the note away. */
export async function disclaimFolder(folder: string): Promise<void> {
  await rm(join(folder, OWNER_FILE), { force: true })
}

/** The process a folder belongs to. */
export interface Owner {
  pid: number
  /** True also when that cannot be told, as from another container. */
  alive: boolean
  /** False: its number means another process here, or none. */
  here: boolean
}

/** The process the folder belongs to; undefined: nobody noted it. */
export async function readOwner(folder: string): Promise<Owner | undefined> {
  const note = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => '')
  const [pid, started, namespace] = note.split(' ')
  if (namespace === undefined) return undefined
  // A process id alone would soon mean another process.
  const here = namespace === pidNamespace()
  const alive = !here || (isAlive(Number(pid)) && startedAt(Number(pid)) === started)
  return { pid: Number(pid), alive, here }
}

/** Removes the folders of that name whose process is gone: it was killed before it could. */
export async function removeAbandoned(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const owner = await readOwner(join(parent, name))
    if (owner && !owner.alive) await removePatiently(join(parent, name))
  }
}

/** The program of the killed process may still be on its way out. What belongs to another user cannot be removed, and need not be. */
async function removePatiently(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 6, retryDelay: 50 }).catch(() => {})
}

/** Whether there is a process of that number, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Linux: the process's start in clock ticks since boot; `-` for one that is dead and only listed. Elsewhere always `-`. */
function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses and may hold spaces.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? '-' : (fields[18] ?? '-')
  } catch {
    return '-'
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(' ', '')
  } catch {
    return '-'
  }
}
