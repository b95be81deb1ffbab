import { insertJob } from '@sidelinja/jobs-core/testing'
import { describe, expect, test } from 'vitest'
import { queryOfBulk } from '../src/lib/page/bulk.ts'
import { useAdmin } from './support.ts'

const on = useAdmin()
const statusOf = async (id: string) => (await on.database.query('select status from job_queue where id = $1', [id])).rows[0]?.status

describe('the page’s data', () => {
  test('is what the endpoints answer the same user', async () => {
    const { id } = await insertJob(on.database.db, {
      collection_node_id: on.mine,
      status: 'error',
      payload: { token: 'sk-0123456789abcdef0123' },
    })
    await insertJob(on.database.db, { collection_node_id: on.foreign })
    for (const [path, name] of [
      ['?status=error,pending', 'jobs'],
      [`/${id}`, 'job'],
      ['/errors', 'errors'],
      ['/workers', 'workers'],
      ['/audit', 'audit'],
    ] as const) {
      const { jobs } = await on.page.load(on.event(on.user, `/admin/jobs${path}`))
      expect(jobs.sources[name]?.body).toEqual(await (await on.get(on.user, path)).json())
    }
  })

  test('holds nothing of other tenants, and says the same of what is theirs as of what is not there', async () => {
    const { id } = await insertJob(on.database.db, { collection_node_id: on.foreign, job_type: 'secret_type' })
    const { jobs } = await on.page.load(on.event(on.user, '/admin/jobs'))
    expect(JSON.stringify(jobs)).not.toMatch(new RegExp(`${on.foreign}|secret_type|${id}`))
    expect(jobs.sources.collections?.body?.collections.map((collection) => [collection.title, collection.may_act])).toEqual([
      ['Mine', true],
      ['Seen', false],
    ])
    const theirs = (await on.page.load(on.event(on.user, `/admin/jobs/${id}`))).jobs.sources.job?.problem
    expect(theirs).toMatchObject({ status: 404, code: 'JOB_NOT_FOUND' })
  })

  test('stays small however many types there are, and its sums whole', async () => {
    await on.database.query(
      `insert into job_activity (collection_node_id, span, starts_at, job_type, completed)
       select $1, 'minute', date_trunc('minute', now(), 'UTC'), 'type_' || n, 2 from generate_series(1, 150) n`,
      [on.mine],
    )
    await on.database.query(
      `insert into job_queue (collection_node_id, job_type, payload) select $1, 'type_' || n, '{}' from generate_series(1, 150) n`,
      [on.mine],
    )
    const { activity, counts } = (await on.page.load(on.event(on.user, '/admin/jobs/overview'))).jobs.sources
    const others = activity?.body?.others
    expect([activity?.body?.types.length, others?.types, others?.completed.reduce((sum, n) => sum + n, 0), others?.wait]).toEqual([
      100,
      50,
      100,
      null,
    ])
    const { statuses, types, others: more } = counts?.body ?? {}
    expect([statuses?.pending?.jobs, types?.length, more?.types, more?.statuses.pending?.jobs]).toEqual([150, 100, 50, 50])
  })

  test('holds nothing unmasked for who may not see that', async () => {
    const { id } = await insertJob(on.database.db, { collection_node_id: on.mine, payload: { token: 'sk-0123456789abcdef0123' } })
    const { jobs } = await on.page.load(on.event(on.user, `/admin/jobs/${id}/raw`))
    expect(jobs.sources.raw?.problem).toMatchObject({ status: 403 })
    expect(JSON.stringify(jobs)).not.toContain('sk-0123')
  })
})

describe('the page’s actions', () => {
  test('do what the endpoint does, and only for who has the right to act', async () => {
    const { id } = await insertJob(on.database.db, { collection_node_id: on.mine, status: 'error' })
    const reader = { ...on.user, rights: ['view'] }
    expect(await on.page.actions.retry(on.event(reader, '/admin/jobs', { job_id: id }))).toMatchObject({ status: 403 })
    expect(await statusOf(id)).toBe('error')
    expect(await on.page.actions.retry(on.event(on.user, '/admin/jobs', { job_id: id }))).toMatchObject({ jobs: { action: 'retry' } })
    expect(await statusOf(id)).toBe('pending')
  })

  test('freeze everything that fits the filter of the page, with its span of time', async () => {
    await insertJob(on.database.db, { collection_node_id: on.mine, status: 'error' })
    await insertJob(on.database.db, { collection_node_id: on.seen, status: 'error' })
    const preview = on.page.actions.preview(
      on.event(on.user, '/admin/jobs', { scope: 'all', action: 'retry', query: 'status=error,retry&since=1h&cursor=x' }),
    )
    const { location } = await preview.then(
      () => ({ location: '' }),
      (redirect: { location: string }) => redirect,
    )
    expect(location).toMatch(/^\/admin\/jobs\/bulk\/[0-9a-f-]{36}$/)
    const { jobs } = await on.page.load(on.event(on.user, location))
    expect(jobs.sources.bulk?.body).toMatchObject({ action: 'retry', jobs: 1, done: 0 })
    // What its receipt offers where there are more.
    const body = jobs.sources.bulk?.body ?? { filter: null }
    const again = on.page.actions.preview(
      on.event(on.user, location, { scope: 'all', action: 'retry', fresh: 'true', reason: 'again', query: queryOfBulk(body) }),
    )
    const next = await again.catch((redirect: { location: string }) => redirect)
    const shown = await on.page.load(on.event(on.user, (next as { location: string }).location))
    expect(shown.jobs.sources.bulk?.body).toMatchObject({ filter: body.filter, jobs: 1, fresh: true, reason: 'again' })
  })
})
