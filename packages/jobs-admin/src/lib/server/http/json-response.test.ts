import { describe, expect, test } from 'vitest'
import { etagOf } from './etag.ts'
import { jsonResponse, revalidatedJson } from './json-response.ts'

const value = { jobs: [{ id: 1 }], next_cursor: null }
const etag = etagOf(JSON.stringify(value))

test('an answer to an action is kept nowhere', async () => {
  const answer = jsonResponse({ outcome: 'requested' }, 202)
  expect(answer.status).toBe(202)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toEqual({ outcome: 'requested' })
})

describe('revalidatedJson', () => {
  test.each([etag, etag.replace('W/', ''), `"other", ${etag}`, '*'])('If-None-Match: %s is answered 304 without a body', async (header) => {
    const answer = ask(header)
    expect(answer.status).toBe(304)
    expect(answer.body).toBeNull()
    expect(answer.headers.get('etag')).toBe(etag)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  })

  test.each([undefined, '"other"', 'W/"other"', etag.replaceAll('"', '')])('If-None-Match: %s is answered in full', async (header) => {
    const answer = ask(header)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe(etag)
    expect(await answer.json()).toEqual(value)
  })

  test('another body has another tag', () => {
    expect(etagOf('{"a":1}')).not.toBe(etagOf('{"a":2}'))
  })
})

function ask(ifNoneMatch?: string): Response {
  const headers = ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }
  return revalidatedJson(new Request('https://admin.example.org/admin/jobs', { headers }), value)
}
