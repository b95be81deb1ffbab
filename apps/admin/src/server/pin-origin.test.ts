import { describe, expect, test } from 'vitest'
import { pinOrigin } from './pin-origin.mjs'

const origin = new URL('https://admin.example.org')

describe('pinOrigin', () => {
  test('overwrites what a client says about the origin', () => {
    const headers = { host: 'evil.example', 'x-admin-host': 'evil.example', 'x-admin-protocol': 'http', 'x-forwarded-host': 'evil.example' }
    expect(pinOrigin({ url: '/', method: 'GET', headers }, origin)).toBeNull()
    expect(headers).toMatchObject({ 'x-admin-host': 'admin.example.org', 'x-admin-protocol': 'https' })
  })

  test.each(['http://evil.example/', '@evil.example/', '*', undefined])('a target of %s is refused', (url) => {
    expect(pinOrigin({ url, method: 'GET', headers: {} }, origin)).toMatchObject({ status: 400 })
  })

  test('a page of ours at another address is told what is wrong', () => {
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'https://jobs.example.org' }
    const refusal = pinOrigin({ url: '/', method: 'POST', headers }, origin)
    expect(refusal).toMatchObject({
      status: 403,
      text: expect.stringContaining('"https://jobs.example.org", men serveren er satt opp for https://admin.example.org (ADMIN_ORIGIN)'),
    })
    expect(refusal?.log).toContain('https://jobs.example.org')
    expect(pinOrigin({ url: '/', method: 'GET', headers }, origin)).toBeNull()
    expect(pinOrigin({ url: '/', method: 'POST', headers: { ...headers, origin: origin.origin } }, origin)).toBeNull()
  })
})
