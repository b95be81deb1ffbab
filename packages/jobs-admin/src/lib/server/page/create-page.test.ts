import { describe, expect, test } from 'vitest'
import { mount } from '../../../../test/support/mount.ts'

const cookies = { get: () => undefined, set: () => {} }
const event = (path: string) => {
  const url = new URL(path, 'https://admin.example.org')
  return { request: new Request(url), url, locals: {}, route: { id: null }, cookies } as never
}

describe('the page’s load', () => {
  test.each([
    ['nobody is signed in', { identify: () => null }],
    ['who asks may not view', { authorize: () => false }],
    ['authorize throws', { authorize: () => Promise.reject(new Error('no')) }],
  ])('gives nothing where %s, also without the handle before it', async (_name, options) => {
    const { admin, ran } = mount(options)
    const { jobs } = await admin.page.load(event('/admin/jobs'))
    expect(jobs).toMatchObject({ screen: 'missing', sources: {}, mayAct: false })
    expect(ran).toEqual([])
  })

  test('asks the endpoints, and tells their problems where answers would stand', async () => {
    const { admin, throwing } = mount()
    const { jobs } = await admin.page.load(event('/admin/jobs?status=error&since='))
    expect(jobs.screen).toBe('jobs')
    expect(jobs.sources.jobs).toMatchObject({ path: '/admin/jobs?status=error', body: { jobs: [] }, problem: null })
    expect(jobs.sources.jobs?.etag).toMatch(/^W\//)
    throwing.error = new Error('in trouble at 10.0.0.1')
    const failed = (await admin.page.load(event('/admin/jobs'))).jobs.sources.jobs
    expect(failed).toMatchObject({ body: null, problem: { status: 500, code: 'INTERNAL' } })
    expect(JSON.stringify(failed)).not.toContain('10.0.0.1')
  })

  test('asks no further endpoint, nor for collections, once there is no database', async () => {
    const { admin, throwing, options } = mount()
    throwing.error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' })
    const { jobs } = await admin.page.load(event('/admin/jobs'))
    expect(Object.values(jobs.sources).map((source) => source?.problem?.code)).toEqual(Array.from({ length: 4 }, () => 'DATABASE_AWAY'))
    expect([jobs.sources.collections?.body, JSON.stringify(jobs).includes('10.0.0.1')]).toEqual([null, false])
    expect(options.onError).toHaveBeenCalledTimes(1)
  })

  test('sends on who has asked for another language, to the same page without the wish', async () => {
    const { admin } = mount()
    await expect(admin.page.load(event('/admin/jobs?status=error&set_lang=nn'))).rejects.toMatchObject({
      status: 303,
      location: '/admin/jobs?status=error',
    })
  })
})

describe('the page’s actions', () => {
  const post = (fields: Record<string, string>) => {
    const url = new URL('/admin/jobs?/retry', 'https://admin.example.org')
    return {
      request: new Request(url, { method: 'POST', body: new URLSearchParams(fields) }),
      url,
      locals: {},
      route: { id: null },
      cookies,
    } as never
  }

  test('are closed for who may not act', async () => {
    const { admin, ran } = mount({ authorize: (_event, _identity, right) => right === 'view' })
    const answer = await admin.page.actions.retry(post({ job_id: '00000000-0000-4000-8000-00000000dead' }))
    expect(answer).toMatchObject({ status: 403, data: { jobs: { problem: { code: 'NOT_ALLOWED' } } } })
    expect(ran).toEqual([])
  })

  test('check what a form says as an endpoint would', async () => {
    const { admin, ran } = mount()
    expect(await admin.page.actions.retry(post({ job_id: 'x' }))).toMatchObject({
      status: 400,
      data: { jobs: { problem: { code: 'BODY_INVALID' } } },
    })
    expect(await admin.page.actions.retry(post({ job_id: '00000000-0000-4000-8000-00000000dead', other: 'x' }))).toMatchObject({
      jobs: { action: 'retry', done: { job_id: '00000000-0000-4000-8000-00000000dead' } },
    })
    expect(ran).toEqual(['retry'])
  })
})
