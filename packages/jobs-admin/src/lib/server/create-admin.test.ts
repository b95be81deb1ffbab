import { describe, expect, test, vi } from 'vitest'
import { jobId, json, mount, origin, ours, problemOf, retry } from '../../../test/support/mount.ts'

describe('the matrix of methods, content types and senders', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  const contentTypes = [
    'application/json',
    'text/plain',
    'TEXT/PLAIN; x',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/csp-report',
    null,
  ]
  const senders: Record<string, Record<string, string>> = {
    nobody: {},
    'cross-site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    'same-site': { 'sec-fetch-site': 'same-site', origin: 'https://other.example.org' },
    'same-origin': { 'sec-fetch-site': 'same-origin', origin },
    null: { origin: 'null' },
  }

  test('one of 200 passes', async () => {
    const { ask, ran } = mount()
    const passed: string[] = []
    for (const method of methods) {
      for (const contentType of contentTypes) {
        for (const [sender, headers] of Object.entries(senders)) {
          const answer = await ask('/intentions/retry_job', {
            method,
            headers: { ...headers, ...(contentType !== null && { 'content-type': contentType }) },
            ...(method !== 'GET' && { body: JSON.stringify({ job_id: jobId }) }),
          })
          if (answer.ok) passed.push(`${method} ${contentType} ${sender}`)
          else expect([403, 405, 415]).toContain(answer.status)
        }
      }
    }
    expect(passed).toEqual(['POST application/json same-origin'])
    expect(ran).toEqual(['retry'])
  })

  test('whoever is refused learns nothing: it is refused before anybody is asked who they are', async () => {
    const { ask, options } = mount()
    for (const headers of Object.values(senders)) {
      await ask('/intentions/retry_job', { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body: '{}' })
      await ask('/intentions/retry_job', { headers })
    }
    expect(options.identify).not.toHaveBeenCalled()
  })

  test('GET and HEAD of an action say what is allowed', async () => {
    const { ask } = mount()
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask('/intentions/retry_job', { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
    }
  })

  test('no answer opens itself to other origins', async () => {
    const { ask } = mount()
    const answer = await ask('/intentions/retry_job', { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
    expect(answer.status).toBe(405)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('closed unless opened', () => {
  test('nobody is signed in', async () => {
    const { ask, ran } = mount({ identify: () => null })
    expect(await problemOf(ask('/admin/jobs', { headers: json }))).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' })
    expect(await problemOf(retry(ask))).toMatchObject({ status: 401 })
    expect(ran).toEqual([])
  })

  test('each endpoint asks for its right', async () => {
    const { ask, options, ran } = mount({ authorize: () => false })
    expect(await problemOf(ask('/admin/jobs', { headers: json }))).toMatchObject({ status: 403, code: 'NOT_ALLOWED' })
    expect(await problemOf(ask('/admin/jobs/7/raw'))).toMatchObject({ status: 403 })
    expect(await problemOf(retry(ask))).toMatchObject({ status: 403 })
    expect(vi.mocked(options.authorize).mock.calls.map(([, identity, right]) => [identity.userId, right])).toEqual([
      ['kari', 'view'],
      ['kari', 'view_raw'],
      ['kari', 'act'],
    ])
    expect(ran).toEqual([])
  })

  test.each(['yes', 1, undefined, {}, Promise.resolve('true')])('an authorization of %s is none', async (answer) => {
    const { ask } = mount({ authorize: () => answer as boolean })
    expect((await ask('/admin/jobs', { headers: json })).status).toBe(403)
  })

  test('an authorization that throws is none, and the host learns of it', async () => {
    const error = new Error('no contact with the directory at ldap.internal')
    const { ask, options } = mount({ authorize: () => Promise.reject(error) })
    const answer = await ask('/admin/jobs', { headers: json })
    expect(answer.status).toBe(403)
    expect(await answer.text()).not.toContain('ldap')
    expect(options.onError).toHaveBeenCalledWith(error, expect.objectContaining({ correlationId: expect.any(String) }))
  })

  test('an identity that is none is a fault, never somebody', async () => {
    for (const identity of [{}, { userId: '' }, { userId: 7 }, 'kari']) {
      const { ask, ran, options } = mount({ identify: () => identity as never })
      expect((await ask('/admin/jobs', { headers: json })).status).toBe(500)
      expect(ran).toEqual([])
      expect(options.onError).toHaveBeenCalledTimes(1)
    }
  })

  test('what another site’s page asks for is not given', async () => {
    const { ask } = mount()
    expect((await ask('/admin/jobs', { headers: { ...json, 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  })
})

describe('the origin', () => {
  test('that is configured counts, whatever the request says of itself', async () => {
    const { ask, ran } = mount({ origin })
    const answer = await ask(
      '/intentions/retry_job',
      { method: 'POST', headers: { ...ours, origin: 'https://evil.example' }, body: '{}' },
      {},
      'https://evil.example',
    )
    expect(answer.status).toBe(403)
    expect(ran).toEqual([])
  })

  test('that is set wrong is said in the log, not in the answer', async () => {
    const { ask, options } = mount({ origin: 'https://jobs.example.org' })
    const problem = await problemOf(retry(ask))
    expect(problem).toMatchObject({ status: 403, code: 'ORIGIN_MISMATCH' })
    expect(JSON.stringify(problem)).not.toContain('jobs.example.org')
    expect(String(vi.mocked(options.onError)?.mock.calls[0]?.[0])).toContain('https://jobs.example.org')
  })
})
