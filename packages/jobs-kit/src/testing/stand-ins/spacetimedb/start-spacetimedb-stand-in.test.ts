import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SpacetimeStandIn, startSpacetimeStandIn } from './start-spacetimedb-stand-in.ts'

const id = '0190a5a0-0000-7000-8000-000000000001'
const good = [id, id, 'a_job', 'running', 1, 3, 0.25, 'Transkriberer', '2026-12-01T08:30:00.000Z']
let spacetime: SpacetimeStandIn

beforeAll(async () => {
  spacetime = await startSpacetimeStandIn({ database: 'jobs', token: 'right' })
})
afterAll(() => spacetime.close())

async function call(
  args: unknown,
  { path = 'jobs/call/upsert_job_status', method = 'POST', type = 'application/json', bearer = 'right' } = {},
) {
  const response = await fetch(`${spacetime.url}/v1/database/${path}`, {
    ...{ method, ...(method === 'POST' && { body: typeof args === 'string' ? args : JSON.stringify(args) }) },
    headers: { 'content-type': type, ...(bearer !== '' && { authorization: `Bearer ${bearer}` }) },
  })
  return [response.status, await response.text()]
}
const but = (index: number, value: unknown) => good.with(index, value as string)

describe('the stand-in for SpacetimeDB', () => {
  test('says that it is one', () => expect(spacetime.describe()).toMatch(/^a stand-in/))

  test('keeps the newest row, and answers with nothing', async () => {
    expect(await call(good)).toEqual([200, ''])
    expect(await call(but(8, '2026-12-01T08:29:59.999Z'))).toEqual([200, ''])
    expect(spacetime.rows.get(id)).toEqual({
      ...{ job_id: id, collection_id: id, job_type: 'a_job', status: 'running', attempt: 1, max_attempts: 3 },
      ...{ progress: 0.25, message_no: 'Transkriberer', updated_at: '2026-12-01T08:30:00.000Z' },
    })
    expect(spacetime.committed).toHaveLength(2)
  })

  test.each<[number, RegExp, unknown, Parameters<typeof call>[1]]>([
    [404, /^database other not found/, good, { path: 'other/call/upsert_job_status' }],
    [404, /^reducer upsert not found/, good, { path: 'jobs/call/upsert' }],
    [404, /^$/, good, { path: 'jobs/upsert_job_status' }],
    [405, /^$/, good, { method: 'GET' }],
    [415, /content-type/i, good, { type: 'text/plain' }],
    [401, /invalid/, good, { bearer: 'wrong' }],
    [530, /only the worker/, good, { bearer: '' }],
    [400, /JSON array/, '{"job_id": 1}', {}],
    [400, /JSON array/, 'job', {}],
    [400, /invalid length 8/, good.slice(0, 8), {}],
    [400, /job_id/, but(0, 'one'), {}],
    [400, /collection_id/, but(1, null), {}],
    [400, /job_type/, but(2, ''), {}],
    [400, /status/, but(3, 'done'), {}],
    [400, /attempt/, but(4, '1'), {}],
    [400, /max_attempts/, but(5, 1.5), {}],
    [400, /progress/, but(6, null), {}],
    [400, /message_no/, but(7, 'x'.repeat(201)), {}],
    [400, /updated_at/, but(8, 1_764_000_000), {}],
  ])('answers %i, %s', async (status, words, args, how) => {
    expect(await call(args, how)).toEqual([status, expect.stringMatching(words)])
  })
})
