import openrouterAnalyze from '@sidelinja/handler-openrouter-analyze'
import { createTestDatabase, drain, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { createServices } from '@sidelinja/jobs-kit'
import { type GatewayStandIn, startGatewayStandIn } from '@sidelinja/jobs-kit/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readText } from './support/workspace.ts'

// docs/add-a-handler.md shows how to try a handler that reads transcripts, by SQL alone. That of the page is fed to one that is here.

let database: TestDatabase
let gateway: GatewayStandIn
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  gateway = await startGatewayStandIn()
})
afterAll(async () => {
  await gateway.close()
  await database.drop()
})

test('the transcript that the page makes by hand is one that a handler reads, also when it is made twice', async () => {
  const sql = /<!-- tested: a transcript by hand -->\n```sql\n([\s\S]*?)```/.exec(readText('docs/add-a-handler.md'))?.[1] ?? ''
  expect(sql.match(/'my_type'/g)).toHaveLength(1)
  for (let time = 0; time < 2; time++) await database.pool.query(sql.replace("'my_type'", `'${openrouterAnalyze.definition.type}'`))

  const { db } = database
  const handler = openrouterAnalyze.createHandler(createServices({ db, gateway: { url: new URL(gateway.url) } }))
  expect(await drain(db, [handler])).toMatchObject(Array(2).fill({ outcome: 'completed' }))
  const { rows } = await database.pool.query('select result, error_msg from job_queue')
  expect(rows).toMatchObject(Array(2).fill({ result: { segments: 3, parts: 1 }, error_msg: null }))
  expect((await database.pool.query('select question, error_code from ai_calls')).rows).toMatchObject(Array(2).fill({ error_code: null }))
})
