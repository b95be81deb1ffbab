import { describe, expect, test, vi } from 'vitest'
import { fail, form, json, mount } from '../../../test/support/mount.ts'

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
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await answer.text()).toContain('<h1>Du er ikke innlogget</h1>')
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

  test('say which right is missing, in the reader’s language; to who asks for data as a problem', async () => {
    const { ask } = mount({ authorize: (_event, _identity, right) => right === 'view', signIn: '/signin' })
    const post = (headers: object) => ask('/admin/jobs/7?/retry', { method: 'POST', headers: { ...form, ...headers } })
    const answer = await post({ ...page, 'accept-language': 'en' })
    const html = await answer.text()
    expect(answer.status).toBe(403)
    for (const part of ['<code>act</code>: to retry, cancel and pause', '<a href="/admin/jobs/7">', '<a href="/signin">'])
      expect(html).toContain(part)
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const problem = await post(json)
    expect([problem.headers.get('content-type'), await problem.json()]).toMatchObject(['application/problem+json', { code: 'NOT_ALLOWED' }])
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
    expect(await answer.text()).toMatch(
      /<h1>Noe gikk galt på serveren<\/h1>.*Feilen står i serverens logg under <code>[0-9a-f-]{36}<\/code>/s,
    )
    expect(options.onError).toHaveBeenCalledTimes(1)
  })

  test('what lies elsewhere is not touched', async () => {
    const { ask, options } = mount({ identify: () => null })
    const answer = await ask('/', { headers: page })
    expect(Object.fromEntries(answer.headers)).toEqual({ 'content-type': 'text/html' })
    expect(options.identify).not.toHaveBeenCalled()
  })
})
