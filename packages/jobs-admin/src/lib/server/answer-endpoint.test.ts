import { PermanentError } from '@sidelinja/jobs-core'
import { describe, expect, test, vi } from 'vitest'
import { fail, jobId, json, mount, problemOf, retry } from '../../../test/support/mount.ts'

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
