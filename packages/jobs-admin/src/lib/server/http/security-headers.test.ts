import { describe, expect, test } from 'vitest'
import { secureData, securePage } from './security-headers.ts'

describe('secureData', () => {
  test('is neither sniffed, embedded nor kept', () => {
    expect(Object.fromEntries(secureData(Response.json({})).headers)).toEqual({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })

  test('leaves what an answer says about caching, and a status without a body', () => {
    const answer = secureData(new Response(null, { status: 304, headers: { 'cache-control': 'private, no-cache', etag: '"a"' } }))
    expect(answer.status).toBe(304)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(answer.headers.get('etag')).toBe('"a"')
  })
})

describe('securePage', () => {
  test('adds a policy beside the one with nonces', () => {
    const page = new Response('<!doctype html>', { headers: { 'content-security-policy': "script-src 'nonce-abc'" } })
    const policy = securePage(page).headers.get('content-security-policy')
    expect(policy).toBe("script-src 'nonce-abc', frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'")
  })

  test('keeps what the host has decided', () => {
    const { headers } = securePage(
      new Response('', { headers: { 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-cache' } }),
    )
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  test('takes a redirect, whose own headers cannot be changed', () => {
    const answer = securePage(Response.redirect('https://admin.example.org/signin', 303))
    expect(answer.status).toBe(303)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })
})
