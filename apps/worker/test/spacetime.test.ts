import { enqueueByType } from '@sidelinja/jobs-core'
import { clearQueue, createTestDatabase, insertNode, type TestDatabase, waitForJob } from '@sidelinja/jobs-core/testing'
import { type SpacetimeStandIn, startSpacetimeStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { spawnWorker, type WorkerProcess } from './spawn-worker.ts'

const token = 'hunter2hunter2'
let database: TestDatabase
let collectionNodeId: string
let spacetime: SpacetimeStandIn
let worker: WorkerProcess | undefined

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  collectionNodeId = (await insertNode(database.db)).id
})
beforeEach(async () => {
  spacetime = await startSpacetimeStandIn({ database: 'sidelinja', token })
})
afterEach(async () => {
  worker?.child.kill('SIGKILL')
  await spacetime.close()
  await clearQueue(database)
})
afterAll(() => database.drop())

const start = (env: Record<string, string> = {}) =>
  spawnWorker(['--types', 'greet,wait', '--drain', '0s'], {
    ...{
      DATABASE_URL: database.connectionString,
      SPACETIMEDB_URL: spacetime.url,
      SPACETIMEDB_DATABASE: 'sidelinja',
      SPACETIMEDB_TOKEN: token,
    },
    ...env,
  })

test('a worker tells SpacetimeDB how its jobs stand, to the last', async () => {
  worker = start()
  const greet = await enqueueByType(database.pool, 'greet', { name: 'a secret name' }, { collectionNodeId })
  const wait = await enqueueByType(database.pool, 'wait', { obeys: true }, { collectionNodeId })
  await vi.waitFor(
    () => {
      expect(spacetime.rows.get(greet.id)).toMatchObject({ status: 'completed', job_type: 'greet', collection_id: collectionNodeId })
      expect(spacetime.rows.get(wait.id)).toMatchObject({ status: 'running', attempt: 1, message_no: 'Kjører' })
    },
    { timeout: 20_000 },
  )
  worker.child.kill('SIGTERM')
  expect(await worker.exited).toBe(0)
  expect(spacetime.rows.get(wait.id)).toMatchObject({ status: 'pending', attempt: 0 })
  expect(spacetime.requests.map(({ body }) => body).join()).not.toContain('secret')
  expect(worker.output() + worker.errors()).not.toContain(token)
})

test.each([
  ['hangs', { hang: 'before-headers' }],
  ['does not let it in', { answer: { status: 401, body: `not with Bearer ${token}` } }],
] as const)('a worker whose SpacetimeDB %s says so once, runs its jobs and ends as ever', async (_name, fault) => {
  spacetime.fail({ times: Number.POSITIVE_INFINITY, ...fault })
  worker = start()
  const { id } = await enqueueByType(database.pool, 'greet', { name: 'x' }, { collectionNodeId })
  expect(await waitForJob(database.db, id, { status: 'completed' })).toMatchObject({ attempts: 1 })
  expect(await worker.seen('sink.down')).toMatchObject({
    level: 'warn',
    sink: 'spacetimedb',
    error_code: expect.stringMatching(/^UPSTREAM_/),
  })
  worker.child.kill('SIGTERM')
  expect(await worker.exited).toBe(0)
  expect(worker.lines.filter(({ event }) => event === 'sink.down')).toHaveLength(1)
  expect(worker.lines.at(-1)).toMatchObject({ event: 'sink.left', unsent: 1 })
  expect(worker.output() + worker.errors()).not.toContain(token)
})
