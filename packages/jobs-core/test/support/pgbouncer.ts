import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { chooseRunner } from '../../src/testing/embedded-postgres/runner.ts'

/** PgBouncer in front of the test server. */
export interface Pgbouncer {
  /** The same database through PgBouncer. */
  through(connectionString: string): string
  /** A statement of its console, such as `pause` or `show servers`. */
  console(statement: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

type Settings = Readonly<Record<string, string | number>>

/** Starts PgBouncer as its users have it, but for the settings given. It ends with this process, however that ends. */
export async function startPgbouncer(program: string, server: string, settings: Settings): Promise<Pgbouncer> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'sidelinja-pgbouncer-'))
  const runner = await chooseRunner()
  const config = join(folder, 'pgbouncer.ini')
  await writeFile(config, configuration(new URL(server), { listen_port: port, ...settings }))
  await runner.own(folder)
  const { file, args } = runner.wrap(program, ['-q', config])
  const child = spawn(file, args, { ...runner.ids, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.on('data', (text) => {
    log += text
  })
  const over = once(child, 'exit')
  const address = { host: '127.0.0.1', port, user: 'postgres' }
  while (!(await answers(address))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${log}`)
  }
  return {
    through(connectionString) {
      const url = new URL(connectionString)
      return `postgres://postgres@127.0.0.1:${port}${url.pathname}`
    },
    console: (statement) => ask(address, statement),
    async stop() {
      child.kill('SIGTERM')
      await over
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configuration(server: URL, settings: Settings): string {
  const parts = {
    host: server.searchParams.get('host') ?? server.hostname,
    port: server.port || '5432',
    user: decodeURIComponent(server.username),
    ...(server.password && { password: decodeURIComponent(server.password) }),
  }
  const target = Object.entries(parts).map(([name, value]) => `${name}='${value.replaceAll("'", "''")}'`)
  const lines = Object.entries({ listen_addr: '127.0.0.1', unix_socket_dir: '', auth_type: 'any', admin_users: 'postgres', ...settings })
  return `[databases]\n* = ${target.join(' ')}\n[pgbouncer]\n${lines.map(([name, value]) => `${name} = ${value}`).join('\n')}\n`
}

async function answers(address: pg.ClientConfig): Promise<boolean> {
  try {
    await ask(address, 'show version')
    return true
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 10))
    return false
  }
}

async function ask(address: pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...address, database: 'pgbouncer' })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(statement)).rows ?? []
  } finally {
    await client.end().catch(() => {})
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
