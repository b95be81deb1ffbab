import { PermanentError } from '@sidelinja/jobs-core'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { AdminEvent } from './admin-event.ts'
import { createAdmin } from './create-admin.ts'
import { jsonResponse, revalidatedJson } from './http/json-response.ts'
import type { JobsAdminOptions } from './options.ts'
import { defineRoute, type Route } from './route.ts'
import type { EventStream } from './stream/event-stream.ts'

const origin = 'https://admin.example.org'
const jobId = '00000000-0000-4000-8000-00000000dead'
const ours = { 'sec-fetch-site': 'same-origin', origin, 'content-type': 'application/json' }
const json = { accept: 'application/json' }

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

describe('endpoints', () => {
  test('get what was checked', async () => {
    const { ask } = mount()
    const answer = await ask('/admin/jobs/a%2Fb/raw?x=1')
    expect(await answer.json()).toEqual({ id: 'a/b', x: '1', userId: 'kari', database: 'the database', may: true })
  })

  test('bodies are read after everything else, and checked', async () => {
    const { ask, ran } = mount()
    expect(await problemOf(retry(ask, { job_id: 7 }))).toMatchObject({ status: 400, code: 'BODY_INVALID' })
    expect(await problemOf(retry(ask, { job_id: jobId, force: true }))).toMatchObject({ detail: 'Unrecognized key: "force"' })
    expect(await problemOf(retry(ask, { job_id: jobId, x: 'x'.repeat(131_072) }))).toMatchObject({ status: 413 })
    expect(ran).toEqual([])
  })

  test('of 1,000 clicks at most a minute’s worth is run', async () => {
    const { ask, ran } = mount({ actionsPerMinute: { single: 30 } })
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => retry(ask)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(ran.length).toBeLessThanOrEqual(31)
    expect(refused.length + ran.length).toBe(1_000)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('what they throw is answered by its kind; the rest is the host’s to know', async () => {
    const secret = new Error('select * from job_queue /srv/app/db.js 10.0.0.7')
    const { ask, options, throwing } = mount()
    throwing.error = new PermanentError('LIST_LIMIT', 'limit must be a whole number from 1 to 200, got 0.')
    expect(await problemOf(ask('/admin/jobs', { headers: json }))).toMatchObject({ status: 400, code: 'LIST_LIMIT' })
    expect(options.onError).not.toHaveBeenCalled()
    throwing.error = secret
    const problem = await problemOf(ask('/admin/jobs', { headers: json }))
    expect(problem).toMatchObject({ status: 500, code: 'INTERNAL', correlation_id: expect.any(String) })
    expect(JSON.stringify(problem)).not.toMatch(/select|srv|10\.0/)
    expect(options.onError).toHaveBeenCalledWith(secret, expect.objectContaining({ correlationId: problem.correlation_id }))
  })

  test('an onError that throws changes nothing', async () => {
    const { ask, throwing } = mount({ onError: () => fail() })
    throwing.error = new Error('x')
    expect((await ask('/admin/jobs', { headers: json })).status).toBe(500)
  })

  test('lists are asked for again and again, actions are kept nowhere, and HEAD has no body', async () => {
    const { ask } = mount()
    const list = await ask('/admin/jobs', { headers: json })
    expect(list.headers.get('cache-control')).toBe('private, no-cache')
    const again = await ask('/admin/jobs', { headers: { ...json, 'if-none-match': list.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    const head = await ask('/admin/jobs', { method: 'HEAD', headers: json })
    expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, null, list.headers.get('etag')])
    expect((await retry(ask)).headers.get('cache-control')).toBe('no-store')
    for (const answer of [list, again, head, await ask('/intentions/retry_job')]) {
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })
})

describe('streams', () => {
  test('a user has so many, and gets a place back', async () => {
    const { ask, streams } = mount({ streams: { perUser: 2, perProcess: 3 } })
    const first = await ask('/admin/jobs/events')
    await ask('/admin/jobs/events')
    expect(await problemOf(ask('/admin/jobs/events'))).toMatchObject({ status: 429, code: 'TOO_MANY_STREAMS' })
    await first.body?.cancel()
    expect((await ask('/admin/jobs/events')).status).toBe(200)
    for (const stream of streams) stream.close()
  })

  test('the process has so many', async () => {
    const { ask, admin, users } = mount({ streams: { perUser: 2, perProcess: 3 } })
    for (const user of ['kari', 'kari', 'ola']) {
      users.now = user
      expect((await ask('/admin/jobs/events')).status).toBe(200)
    }
    expect(await problemOf(ask('/admin/jobs/events'))).toMatchObject({ status: 503, code: 'STREAMS_FULL' })
    admin.close()
    expect((await ask('/admin/jobs/events')).status).toBe(200)
  })

  test('a stream ends when another is signed in, or nobody', async () => {
    vi.useFakeTimers()
    const { ask, users } = mount()
    const answer = await ask('/admin/jobs/events')
    users.now = 'ola'
    await vi.advanceTimersByTimeAsync(30_000)
    vi.useRealTimers()
    expect(await answer.text()).toContain('event: closed\ndata: {"reason":"not_allowed"}')
  })
})

describe('pages', () => {
  const page = { accept: 'text/html,*/*;q=0.8' }

  test('are SvelteKit’s, with our headers on top', async () => {
    const { ask } = mount()
    const answer = await ask('/admin/jobs', { headers: page })
    expect(await answer.text()).toBe('<!doctype html>')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('are closed too, also under another spelling', async () => {
    const { ask, resolve } = mount({ identify: () => null })
    for (const path of ['/admin/jobs', '/admin/jobs/', '/admin/%6Aobs', '/admin/jobs/7', '/admin/jobs/7/other']) {
      const answer = await ask(path, { headers: page })
      expect(answer.status).toBe(401)
      expect(await answer.text()).toBe('Du må logge inn for å se denne siden.\n')
    }
    expect(resolve).not.toHaveBeenCalled()
  })

  test('send to where one signs in, but neither data nor forms', async () => {
    const { ask } = mount({ identify: () => null, signIn: '/signin?to=jobs' })
    const answer = await ask('/admin/jobs', { headers: page })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/signin?to=jobs'])
    expect((await ask('/admin/jobs', { headers: json })).status).toBe(401)
    expect((await ask('/admin/jobs', { headers: page }, { isDataRequest: true })).status).toBe(401)
    expect((await ask('/admin/jobs', { method: 'POST', headers: { ...page, ...form } })).status).toBe(401)
  })

  test('their form actions need the right to act, a page of ours, and tokens', async () => {
    const { ask, options, resolve } = mount({ actionsPerMinute: { single: 1 } })
    expect((await ask('/admin/jobs?/retry', { method: 'POST', headers: { ...page, ...form } })).status).toBe(200)
    expect(vi.mocked(options.authorize).mock.calls.map(([, , right]) => right)).toEqual(['view', 'act'])
    expect((await ask('/admin/jobs?/retry', { method: 'POST', headers: { ...page, ...form } })).status).toBe(429)
    expect((await ask('/admin/jobs?/retry', { method: 'POST', headers: { ...page, ...form, origin: 'null' } })).status).toBe(403)
    expect((await ask('/admin/jobs?/retry', { method: 'POST', headers: { ...page, ...form, 'content-type': 'text/plain' } })).status).toBe(
      415,
    )
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  test('when the host is in trouble nothing is shown', async () => {
    const { ask, options } = mount({ identify: () => fail() })
    const answer = await ask('/admin/jobs', { headers: page })
    expect(answer.status).toBe(500)
    expect(await answer.text()).toMatch(/^Noe gikk galt på serveren\.\nFeilen står i serverens logg under [0-9a-f-]{36}\.\n$/)
    expect(options.onError).toHaveBeenCalledTimes(1)
  })

  test('what lies elsewhere is not touched', async () => {
    const { ask, options } = mount({ identify: () => null })
    const answer = await ask('/', { headers: page })
    expect(Object.fromEntries(answer.headers)).toEqual({ 'content-type': 'text/html' })
    expect(options.identify).not.toHaveBeenCalled()
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

const form = { 'sec-fetch-site': 'same-origin', origin, 'content-type': 'application/x-www-form-urlencoded' }

function mount(changed: Partial<JobsAdminOptions> = {}) {
  const ran: string[] = []
  const streams: EventStream[] = []
  const throwing: { error?: Error } = {}
  const users = { now: 'kari' }
  const options = {
    database: 'the database',
    identify: vi.fn(changed.identify ?? (() => ({ userId: users.now }))),
    authorize: vi.fn(changed.authorize ?? (() => true)),
    onError: vi.fn(changed.onError ?? (() => {})),
  }
  const resolve = vi.fn(async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
  const admin = createAdmin({ ...changed, ...options }, testRoutes(ran, streams, throwing))
  const ask = async (path: string, init: RequestInit = {}, more: Partial<AdminEvent> = {}, host = origin) => {
    const url = new URL(path, host)
    return admin.handle({ event: { request: new Request(url, init), url, locals: {}, route: { id: null }, ...more }, resolve })
  }
  return { admin, ask, options, ran, resolve, streams, throwing, users }
}

type Ask = ReturnType<typeof mount>['ask']

function testRoutes(ran: string[], streams: EventStream[], throwing: { error?: Error }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      under: 'base',
      path: '',
      right: 'view',
      hasPage: true,
      run: ({ request }) => {
        if (throwing.error) throw throwing.error
        return revalidatedJson(request, { jobs: [] })
      },
    }),
    defineRoute({
      method: 'GET',
      under: 'base',
      path: '/events',
      right: 'view',
      run: ({ openStream }) =>
        openStream((stream) => {
          streams.push(stream)
          return undefined
        }),
    }),
    defineRoute({
      method: 'GET',
      under: 'base',
      path: '/:id/raw',
      right: 'view_raw',
      run: async ({ params, query, userId, database, may }) =>
        jsonResponse({ id: params.id, x: query.get('x'), userId, database, may: await may('act') }),
    }),
    defineRoute({
      method: 'POST',
      under: 'intentions',
      path: '/retry_job',
      right: 'act',
      bucket: 'single',
      body: z.strictObject({ job_id: z.guid() }),
      run: ({ body }) => {
        ran.push('retry')
        return jsonResponse({ job_id: body.job_id })
      },
    }),
  ]
}

function retry(ask: Ask, body: object = { job_id: jobId }): Promise<Response> {
  return ask('/intentions/retry_job', { method: 'POST', headers: ours, body: JSON.stringify(body) })
}

async function problemOf(answer: Promise<Response>) {
  const response = await answer
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return (await response.json()) as { status: number; code: string; detail: string; correlation_id?: string }
}

function fail(): never {
  throw new Error('in trouble')
}
