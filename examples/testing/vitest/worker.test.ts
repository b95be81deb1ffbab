import { enqueue } from '@sidelinja/jobs-core'
import { clearQueue, createTestDatabase, insertNode, type TestDatabase, travel, waitForJob } from '@sidelinja/jobs-core/testing'
import { createWorker, type Worker } from '@sidelinja/jobs-core/worker'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { createHandlers, type Mailer, remind, welcome } from '../app.ts'

const mailer = { send: vi.fn<Mailer['send']>(async () => {}) }
let database: TestDatabase
let clubId: string
let worker: Worker

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  clubId = (await insertNode(database)).id
})
beforeEach(async () => {
  worker = createWorker({ connection: database.connectionString, handlers: Object.values(createHandlers(mailer)) })
  await worker.start()
})
afterEach(async () => {
  await worker.stop()
  await clearQueue(database)
  mailer.send.mockReset()
})
afterAll(() => database.drop())

test('a worker tries again when the mail server is down', async () => {
  mailer.send.mockRejectedValueOnce(new Error('connection refused'))
  const { id } = await enqueue(database, welcome, { email: 'ada@example.com', name: 'Ada' }, { collectionNodeId: clubId })
  expect(await waitForJob(database, id, { status: 'retry' })).toMatchObject({ error_msg: 'connection refused', attempts: 1 })

  // The second attempt comes after half a minute: let it pass.
  await travel(database, { seconds: 34 })
  expect(await waitForJob(database, id)).toMatchObject({ status: 'completed', result: { mailed: 'ada@example.com' } })
  expect(mailer.send).toHaveBeenCalledTimes(2)
})

test('a worker leaves alone what is not due', async () => {
  const scheduledFor = new Date(Date.now() + 60_000)
  const { id } = await enqueue(database, remind, { email: 'ada@example.com' }, { collectionNodeId: clubId, scheduledFor })
  await expect(waitForJob(database, id, { timeoutMs: 50 })).rejects.toThrow(/pending .*\n.*due in \d\d s, at .* travel/)
})
