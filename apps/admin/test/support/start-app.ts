import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Answer, type Ask, createAsk } from './ask.ts'

const folder = join(import.meta.dirname, '../..')

/** The origin that browsers would use; the server itself listens on a port of this machine. */
export const ORIGIN = 'https://admin.example.org'

export interface App {
  ask: Ask
  port: number
  /** Signs a demo user in and returns the cookie. */
  signIn(userId: string): Promise<string>
  /** Ends it as an operator does; the exit code. */
  stop(): Promise<number | null>
  stderr(): string
}

/** Starts the built application on a free port. */
export async function startApp(env: Record<string, string>): Promise<App> {
  const child = spawnServer({ ADMIN_ORIGIN: ORIGIN, ADMIN_DEMO_PUBLIC: '1', HOST: '127.0.0.1', PORT: '0', ...env })
  let stderr = ''
  child.stderr?.on('data', (text) => (stderr += text))
  const port = await readPort(child, () => stderr)
  const ask = createAsk({ port })
  return {
    ask,
    port,
    signIn: async (userId) =>
      cookieOf(await ask('/?/signIn', { method: 'POST', headers: FORM, body: new URLSearchParams({ userId }).toString() })),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      return code
    },
    stderr: () => stderr,
  }
}

/** What a form of our own page sends. */
export const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: ORIGIN,
  'sec-fetch-site': 'same-origin',
  accept: 'text/html',
}

/** Starts it where it should refuse to, and returns how it ended. */
export async function refusedStart(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const child = spawnServer({ HOST: '127.0.0.1', PORT: '0', ...env })
  let stderr = ''
  child.stderr?.on('data', (text) => (stderr += text))
  // It listens: that is no refusal.
  child.stdout?.once('data', () => child.kill())
  const [code] = await once(child, 'close')
  return { code, stderr }
}

function spawnServer(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function readPort(child: ChildProcess, stderr: () => string): Promise<number> {
  if (!child.stdout) throw new Error('no output')
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /port (\d+)/.exec(line) ?? []
    if (port) return Number(port)
  }
  throw new Error(`The server did not start: ${stderr()}`)
}

function cookieOf({ headers }: Answer): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}
