import { execFile } from 'node:child_process'
import { lchown, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A way to start PostgreSQL's programs, which refuse to run as root and must not outlive this process. */
export interface Runner {
  readonly kind: RunnerKind
  wrap(program: string, args: string[]): { file: string; args: string[] }
  /** User and group for `spawn`. */
  readonly ids: { uid?: number; gid?: number }
  /** Gives the folder and all in it to the user the programs will be. */
  own(folder: string): Promise<void>
}

export type RunnerKind = 'plain' | 'bound' | 'namespace' | 'nobody'

const namespace = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
const bind = ['setpriv', '--pdeathsig', 'INT']
// A parent that died before setpriv ran sends no signal any more; then the program must not start at all.
const unlessOrphaned = ['sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', String(process.pid)]

/**
 * Picks the way that works here. As root: a user namespace in which root looks like nobody, so that no user is created and a folder
 * only root may enter still works; where namespaces are forbidden, the user nobody. On Linux the programs end when this process
 * dies, however it dies.
 */
export async function chooseRunner(): Promise<Runner> {
  if (process.platform !== 'linux') return makeRunner('plain')
  if (userInfo().uid !== 0) return makeRunner((await works(bind)) ? 'bound' : 'plain')
  return makeRunner((await works([...namespace, ...bind])) ? 'namespace' : 'nobody')
}

/** Makes a runner of one kind, whether it works here or not. */
export async function makeRunner(kind: RunnerKind): Promise<Runner> {
  const ids: Runner['ids'] = kind === 'nobody' ? await nobody() : {}
  const bound = kind === 'nobody' ? await works(bind) : kind !== 'plain'
  const prefix = [...(kind === 'namespace' ? namespace : []), ...(bound ? [...bind, ...unlessOrphaned] : [])]
  return {
    kind,
    ids,
    wrap(program, args) {
      const [file, ...rest] = [...prefix, program, ...args]
      return { file: file as string, args: rest }
    },
    async own(folder) {
      if (userInfo().uid === 0) await giveTo(folder, ids.uid ?? 0, ids.gid ?? 0)
    },
  }
}

async function nobody(): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, 'nobody'])).stdout)
  return { uid: await id('-u').catch(() => 65_534), gid: await id('-g').catch(() => 65_534) }
}

async function works(prefix: string[]): Promise<boolean> {
  const [file, ...args] = [...prefix, 'true']
  return promisify(execFile)(file as string, args).then(
    () => true,
    () => false,
  )
}

/** chown -R, skipped when the folder itself already belongs to that user. */
async function giveTo(folder: string, uid: number, gid: number): Promise<void> {
  if ((await stat(folder)).uid === uid) return
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, gid)
  await lchown(folder, uid, gid)
}
