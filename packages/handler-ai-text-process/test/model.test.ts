import { enqueue } from '@sidelinja/jobs-core'
import { createTestDatabase, drain, insertNode, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createHandler } from '../src/handler.ts'
import { aiTextProcess } from '../src/job.ts'

const denied = {
  message: "key not allowed to access model. This key can only access models=['sidelinja/rutine']. Tried to access dyr",
  ...{ type: 'key_model_access_denied', param: 'model', code: '403' },
}

let database: TestDatabase
let gateway: GatewayStandIn
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  gateway = await startGatewayStandIn({
    models: ['sidelinja/rutine', 'dyr'],
    answer: ({ chat }) =>
      chat?.model === 'dyr'
        ? { status: 403, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ error: denied }) }
        : undefined,
  })
})
afterAll(async () => {
  await gateway.close()
  await database.drop()
})

test('a collection with a model that is not for it has its own job fail, once and at once; the others go on', async () => {
  const { db, pool } = database
  const dear = (await insertNode(db)).id
  await pool.query(`update nodes set metadata = '{"jobs": {"models": {"routine": "dyr"}}}' where id = $1`, [dear])
  const other = (await insertNode(db)).id
  for (const collectionNodeId of [dear, other]) {
    await enqueue(
      pool,
      aiTextProcess,
      { mode: 'oppsummer', text: 'Rådet sa ja til budsjettet. Møtet varte i to timer.' },
      { collectionNodeId },
    )
  }
  await drain(db, [createHandler(createServices({ db, gateway: { url: new URL(gateway.url) } }))])
  const { rows } = await pool.query('select collection_node_id, status, attempts, error_msg from job_queue order by sequence')
  expect(rows).toMatchObject([
    { collection_node_id: dear, status: 'error', attempts: 1, error_msg: expect.stringContaining('models.routine') },
    { collection_node_id: other, status: 'completed', error_msg: null },
  ])
  expect((await pool.query('select from service_breakers where opened_at is not null')).rowCount).toBe(0)
})
