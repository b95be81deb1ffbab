import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { type GatewayStandIn, type GatewayStandInOptions, gatewayReply } from '@sidelinja/jobs-kit/testing'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { arrangeAsking } from './support.ts'

let database: TestDatabase
let standIn: GatewayStandIn
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())
afterEach(() => standIn.close())

async function arrange(options: GatewayStandInOptions) {
  const arranged = await arrangeAsking(database, options)
  standIn = arranged.standIn
  return arranged
}

describe('a page that answers 403 in place of the gateway', () => {
  const page = {
    status: 403,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!doctype html><html><head><title>403 Forbidden</title></head><body><h1>Request blocked</h1></body></html>',
  }
  const opened = async () => (await database.pool.query(`select from service_breakers where opened_at is not null`)).rowCount
  afterEach(() => database.pool.query('select reset_service_breaker($1)', ['gateway']))

  test('is a failure of that job, which says where to look, and keeps nobody else from the gateway', async () => {
    const { ask, calls } = await arrange({ answer: () => gatewayReply('{"summary":"a","action_points":[]}') })
    for (let time = 0; time < 6; time++) {
      standIn.fail({ answer: page })
      await expect(ask()).rejects.toMatchObject({
        ...{ code: 'GATEWAY_BLOCKED', kind: 'transient' },
        message: expect.stringMatching(/in front of the AI gateway.*Request blocked/),
      })
      expect(await ask({ name: `other-${time}` })).toMatchObject({ summary: 'a' })
    }
    expect(await opened()).toBe(0)
    expect((await calls())[0]).toMatchObject({ error_code: 'GATEWAY_BLOCKED' })
  })

  test('opens the breaker where nothing gets through', async () => {
    const { ask } = await arrange({ answer: () => page })
    for (let time = 1; time < 5; time++) await expect(ask()).rejects.toMatchObject({ code: 'GATEWAY_BLOCKED' })
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_DOWN', kind: 'snooze' })
    expect(await opened()).toBe(1)
  })
})
