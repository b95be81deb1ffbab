import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { isJobsError } from '@sidelinja/jobs-core'
import {
  clearQueue,
  createTestDatabase,
  drain,
  expectEnqueued,
  insertJob,
  insertNode,
  refuteEnqueued,
  runHandler,
  type TestDatabase,
} from '@sidelinja/jobs-core/testing'
import { createHandlers, type Mailer, remind, signUp, type Tables, welcome } from '../app.ts'

const ada = { email: 'ada@example.com', name: 'Ada' }
let database: TestDatabase
let clubId: string
let sent: string[]
const mailer: Mailer = { send: async (to, text) => void sent.push(`${to}: ${text}`) }
const { welcomeHandler, remindHandler } = createHandlers(mailer)

before(async () => {
  database = await createTestDatabase(JSON.parse(process.env.TEST_SERVER ?? ''))
  clubId = (await insertNode(database)).id
})
beforeEach(() => {
  sent = []
})
afterEach(async () => {
  await clearQueue(database)
  await database.query('delete from members')
})
after(() => database.drop())

describe('signing up', () => {
  test('enqueues a welcome, once', async () => {
    const db = database.db.withTables<Tables>()
    await signUp(db, clubId, ada)
    await assert.rejects(signUp(db, clubId, ada))
    await expectEnqueued(database, welcome, { payload: ada, collectionNodeId: clubId, priority: 10, count: 1 })
  })

  test('welcomes and, a week later, reminds', async () => {
    await signUp(database.db.withTables<Tables>(), clubId, ada)
    await drain(database, [welcomeHandler, remindHandler], { failFast: true })
    assert.deepEqual(sent, ['ada@example.com: Welcome, Ada!'])
    await expectEnqueued(database, remind, { scheduledFor: { days: 7 }, status: 'pending' })

    await drain(database, [welcomeHandler, remindHandler], { withScheduled: { days: 8 } })
    assert.equal(sent.at(-1), 'ada@example.com: Have you met the others?')
  })
})

describe('the welcome', () => {
  test('sends no second mail when only the database failed', async () => {
    await runHandler(welcomeHandler, { payload: ada, job: { attempt: 2 }, steps: { mail: null } })
    assert.deepEqual(sent, [])
  })

  test('fails for good without a name, and reminds nobody', async () => {
    await insertJob(database, { job_type: 'welcome', payload: { ...ada, name: '' }, collection_node_id: clubId })
    const [run] = await drain(database, [welcomeHandler])
    assert.equal(run?.outcome, 'error')
    assert.equal(run.error?.code, 'NAME_EMPTY')
    await refuteEnqueued(database, remind)
  })

  test('refuses a payload that does not fit', async () => {
    await assert.rejects(
      runHandler(welcomeHandler, { payload: { email: 'nobody' } }),
      (error) => isJobsError(error) && error.code === 'PAYLOAD_INVALID',
    )
  })
})
