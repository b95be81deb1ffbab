import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { demoUsersSetting } from '../demo/demo-users.ts'
import type { Print } from '../playground-run.ts'
import { AdminFailedError } from './admin-failed-error.ts'
import { HOST } from './choose-port.ts'

const folder = fileURLToPath(new URL('../../../admin/', import.meta.url))
/** Ends it when this process is gone, however that ended. */
const follower = fileURLToPath(new URL('../../../../scripts/lib/follow-launcher.mjs', import.meta.url))
/** A request that takes longer is not waited for. */
const STOP_MS = 3_000

/** The admin page, in a process of its own, as it is deployed. */
export interface ServedPage {
  stop(): Promise<void>
}

export interface ServeOptions {
  databaseUrl: string
  port: number
  signal: AbortSignal
  print: Print
}

/** Starts it, and resolves when it listens. */
export async function servePage({ databaseUrl, port, signal, print }: ServeOptions): Promise<ServedPage> {
  const child = spawn(process.execPath, [follower, 'server.mjs'], {
    cwd: folder,
    // Nothing of ours but what it needs: it refuses settings that contradict each other.
    env: {
      ...{ PATH: process.env.PATH, DATABASE_URL: databaseUrl, ADMIN_DEMO_USERS: demoUsersSetting },
      ...{ ADMIN_ORIGIN: pageOrigin(port), HOST, PORT: String(port) },
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let stopping = false
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    stopping = true
    const giveUp = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    child.kill('SIGTERM')
    await exited
    clearTimeout(giveUp)
  }
  await untilListening(child, signal).catch(async (error) => {
    await stop()
    throw error
  })
  child.stderr?.on('data', (text: string) => print(`Admin page: ${text.trimEnd()}`))
  void exited.then(
    () => stopping || signal.aborted || print('The admin page has ended by itself, or was ended. Start again to have it back.'),
  )
  return { stop }
}

/** What it says before is shown only if it does not start. */
function untilListening(child: ChildProcess, signal: AbortSignal): Promise<void> {
  const [stdout, stderr] = [child.stdout?.setEncoding('utf8'), child.stderr?.setEncoding('utf8')]
  let said = ''
  return new Promise((resolve, reject) => {
    const collect = (text: string) => {
      said += text
      if (/^Listening /m.test(said)) settle(resolve)
    }
    const fail = () => settle(() => reject(new AdminFailedError(`The admin page does not start: ${said.trim()}`)))
    const abort = () => settle(() => reject(signal.reason))
    const settle = (how: () => void) => {
      stdout?.off('data', collect).resume()
      stderr?.off('data', collect)
      child.off('close', fail)
      signal.removeEventListener('abort', abort)
      how()
    }
    stdout?.on('data', collect)
    stderr?.on('data', collect)
    child.once('close', fail)
    signal.addEventListener('abort', abort, { once: true })
  })
}

/** Where browsers reach it. */
export function pageOrigin(port: number): string {
  return `http://${HOST}:${port}`
}
