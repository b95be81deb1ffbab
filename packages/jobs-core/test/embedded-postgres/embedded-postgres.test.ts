import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findBinaries } from '../../src/testing/embedded-postgres/binaries.ts'
import { prepareDataFolder } from '../../src/testing/embedded-postgres/data-folder.ts'
import { makeRunner } from '../../src/testing/embedded-postgres/runner.ts'
import { launchServer } from '../../src/testing/embedded-postgres/server-process.ts'
import { makeSocketFolder } from '../../src/testing/embedded-postgres/socket-folder.ts'
import { startEmbeddedPostgres } from '../../src/testing/embedded-postgres/start-embedded-postgres.ts'

const isRoot = userInfo().uid === 0
let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-test-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a kept data folder', () => {
  let dataFolder: string
  beforeAll(() => {
    dataFolder = join(folder, 'kept', 'data')
  })

  test('is durable, and open by TCP only with the password', async () => {
    const server = await startEmbeddedPostgres({ dataFolder, durable: true, port: 0 })
    try {
      expect(
        await ask(
          server.connectionString(),
          `select string_agg(name || '=' || setting, ' ' order by name) from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum')`,
        ),
      ).toBe('autovacuum=on fsync=on full_page_writes=on synchronous_commit=on')
      const byTcp = server.tcpConnectionString() ?? ''
      expect(await ask(byTcp, 'select host(inet_server_addr())')).toBe('127.0.0.1')
      await expect(ask(byTcp.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({ code: '28P01' })
    } finally {
      await server.stop()
    }
    expect(existsSync(server.socketFolder)).toBe(false)
  })

  test('that is served already is refused with the process to end', async () => {
    const first = await serve(dataFolder)
    await expect(startEmbeddedPostgres({ dataFolder })).rejects.toMatchObject({
      code: 'DATA_FOLDER_IN_USE',
      message: expect.stringContaining(`started by process ${first.child.pid}). End that one first (kill -INT ${first.child.pid})`),
    })
    expect(await ask(first.url, 'select 1')).toBe(1)
  })

  test('is served again right after kill -9 of the process that served it, with all that was committed', async () => {
    const first = await serve(dataFolder)
    await ask(first.url, 'create table kept as select 42 as answer')
    const postmaster = Number((await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')[0])
    expect(await isServing(postmaster, dataFolder)).toBe(true)
    first.child.kill('SIGKILL')
    const server = await startEmbeddedPostgres({ dataFolder, durable: true })
    try {
      expect(await ask(server.connectionString(), 'select answer from kept')).toBe(42)
      expect(await isServing(postmaster, dataFolder)).toBe(false)
    } finally {
      await server.stop()
    }
  })

  test('is served again when a postmaster.pid names a process that is something else today', async () => {
    await writeFile(join(dataFolder, 'postmaster.pid'), [process.pid, dataFolder, 1, 5432, '', '', '', 'ready', ''].join('\n'))
    const server = await startEmbeddedPostgres({ dataFolder })
    await server.stop()
    await server.exited
  })

  test('of another major version is refused with both versions', async () => {
    const other = join(folder, 'other-version')
    await mkdir(other)
    await writeFile(join(other, 'PG_VERSION'), '17\n')
    await expect(startEmbeddedPostgres({ dataFolder: other })).rejects.toMatchObject({
      code: 'DATA_FOLDER_VERSION',
      message: expect.stringMatching(/PostgreSQL 17.*PostgreSQL 18.*Delete/),
    })
  })
})

describe('a folder that cannot be used', () => {
  test('holds something else: it is refused and left alone', async () => {
    const other = join(folder, 'something-else')
    await mkdir(other)
    await writeFile(join(other, 'letter.txt'), 'dear')
    await expect(startEmbeddedPostgres({ dataFolder: other })).rejects.toMatchObject({ code: 'DATA_FOLDER_UNUSABLE' })
    expect(await readdir(other)).toEqual(['letter.txt'])
  })

  test('lies below a file', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    await expect(startEmbeddedPostgres({ dataFolder: join(file, 'data') })).rejects.toMatchObject({
      code: 'DATA_FOLDER_UNUSABLE',
      message: expect.stringContaining(join(file, 'data')),
    })
  })
})

describe('an interrupted start', () => {
  test('killed during initdb leaves nothing that the next start trips over', async () => {
    const parent = join(folder, 'interrupted')
    const dataFolder = join(parent, 'data')
    const { child } = spawnServer(dataFolder)
    await vi.waitFor(async () => expect(await readdir(join(parent, await halfWay(parent), 'data'))).toContain('base'), {
      interval: 5,
      timeout: 10_000,
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(dataFolder)).toBe(false)
    const server = await startEmbeddedPostgres({ dataFolder })
    await server.stop()
    expect(await readdir(parent)).toEqual(['data'])
  })

  test('ends when its signal aborts, and leaves nothing', async () => {
    const parent = join(folder, 'aborted')
    const controller = new AbortController()
    const start = startEmbeddedPostgres({ dataFolder: join(parent, 'data'), signal: controller.signal })
    const stopped = expect(start).rejects.toThrow('changed my mind')
    await vi.waitFor(() => halfWay(parent), { interval: 5, timeout: 10_000 })
    controller.abort(new Error('changed my mind'))
    await stopped
    expect(await readdir(parent)).toEqual([])
  })

  test('ends at its time limit', async () => {
    await expect(startEmbeddedPostgres({ timeoutMs: 1 })).rejects.toMatchObject({
      code: 'EMBEDDED_POSTGRES_FAILED',
      message: expect.stringContaining('within 1 ms'),
    })
  })
})

describe('ports and sockets', () => {
  test('a taken port is refused', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    await expect(startEmbeddedPostgres({ port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringContaining(String(port)),
    })
    other.close()
  })

  test('the socket goes where its path is short enough, else the error says so', async () => {
    const deep = join(folder, 'x'.repeat(100))
    expect(await makeSocketFolder(5432, [deep, folder])).toContain(join(folder, 'sidelinja-pg-'))
    await expect(makeSocketFolder(5432, [deep])).rejects.toMatchObject({ code: 'SOCKET_PATH_TOO_LONG' })
  })

  test('the socket folder of a killed process goes at the next start', async () => {
    const parent = join(folder, 'sockets')
    await mkdir(join(parent, 'sidelinja-pg-killed'), { recursive: true })
    await mkdir(join(parent, 'sidelinja-pg-unknown'))
    const mine = await makeSocketFolder(5432, [parent])
    const note = await readFile(join(mine, 'sidelinja.owner'), 'utf8')
    await writeFile(join(parent, 'sidelinja-pg-killed', 'sidelinja.owner'), note.replace(/ \S+ /, ' 1 '))
    await makeSocketFolder(5432, [parent])
    const left = await readdir(parent)
    expect(left).not.toContain('sidelinja-pg-killed')
    expect(left).toContain('sidelinja-pg-unknown')
    expect(left).toHaveLength(3)
  })
})

test('works without user namespaces: root starts it as the user nobody, others as themselves', async () => {
  const [binaries, runner] = await Promise.all([findBinaries(), makeRunner(isRoot ? 'nobody' : 'plain')])
  const socketFolder = await makeSocketFolder(5432)
  const dataFolder = join(socketFolder, 'data')
  const signal = AbortSignal.timeout(20_000)
  try {
    await runner.own(socketFolder)
    await prepareDataFolder(binaries, runner, { dataFolder, durable: false, signal })
    const address = { host: socketFolder, user: 'postgres', database: 'postgres' }
    const settings = ['listen_addresses=', `unix_socket_directories=${socketFolder}`, 'fsync=off']
    const server = await launchServer(binaries, runner, { dataFolder, settings, address, failure: {}, signal })
    const pid = Number((await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')[0])
    expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(
      new RegExp(`^Uid:\\s+${isRoot ? runner.ids.uid : userInfo().uid}\\b`, 'm'),
    )
    await server.stop()
  } finally {
    await rm(socketFolder, { recursive: true, force: true })
  }
})

async function serve(dataFolder: string): Promise<{ child: ChildProcess; url: string }> {
  const { child, firstLine } = spawnServer(dataFolder)
  return { child, url: await firstLine }
}

function spawnServer(dataFolder: string): { child: ChildProcess; firstLine: Promise<string> } {
  // It ends with this process, by the channel: an interrupted test run leaves nothing behind.
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts'), dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  return { child, firstLine: once(child.stdout as NodeJS.ReadableStream, 'data').then(([text]) => String(text).trim()) }
}

async function halfWay(parent: string): Promise<string> {
  const name = (await readdir(parent)).find((entry) => entry.startsWith('.data.new-'))
  expect(name).toBeDefined()
  return name ?? ''
}

async function ask(connectionString: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}

async function isServing(pid: number, dataFolder: string): Promise<boolean> {
  if (process.platform !== 'linux') return process.kill(pid, 0)
  // A dead process may stay listed until its new parent looks, but it works nowhere any more.
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === dataFolder
}
