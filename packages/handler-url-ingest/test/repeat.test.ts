import { enqueue } from '@sidelinja/jobs-core'
import { drain, travel } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { urlIngest } from '../src/job.ts'
import { page } from './samples.ts'
import { setup } from './support.ts'

describe('a second attempt, and a second job (A39)', () => {
  let t: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    t = await setup(inject('server'))
  })
  afterAll(() => t.drop())

  test('leave one clip and one edge, fetch and pay once, and show the old clip until the new one is whole', async () => {
    const collectionNodeId = await t.collection()
    const job = () => enqueue(t.pool, urlIngest, { url: t.site.address('/sak') }, { collectionNodeId })
    await job()
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'completed' }])
    const [old] = await t.clips(collectionNodeId)

    t.site.setPages({ '/sak': page({ title: 'Skøyta er her' }) })
    await t.pool.query(`
      create sequence attempts;
      create function refuse_first() returns trigger language plpgsql as $$ begin
        if nextval('attempts') = 1 then raise exception 'the edge fails once'; end if; return new; end $$;
      create trigger refuse_first before insert on edges for each row execute function refuse_first()`)
    const [fetched, asked] = [t.site.requests.length, t.gateway.requests.length]
    await job()
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'retry' }])
    expect(await t.clips(collectionNodeId)).toEqual([old])
    await travel(t, { minutes: 2 })
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'completed', attempt: 2 }])
    expect([t.site.requests.length - fetched, t.gateway.requests.length - asked]).toEqual([1, 1])
    expect(await t.clips(collectionNodeId)).toMatchObject([{ id: old?.id, title: 'Skøyta er her' }])

    await job()
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'completed' }])
    expect(await t.clips(collectionNodeId)).toMatchObject([{ id: old?.id, title: 'Skøyta er her' }])
    expect((await t.pool.query(`select from nodes where kind = 'clip'`)).rowCount).toBe(1)
  })

  test('a site that is not well is asked again later, and no sooner than it wants', async () => {
    const collectionNodeId = await t.collection()
    t.site.fail({ answer: { status: 503, headers: { 'retry-after': '300' } } })
    await enqueue(t.pool, urlIngest, { url: t.site.address('/sak') }, { collectionNodeId })
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'retry', error: { code: 'UPSTREAM_RATE_LIMITED' } }])
    await travel(t, { minutes: 4 })
    expect(await drain(t.db, [t.handler])).toEqual([])
    await travel(t, { minutes: 3 })
    expect(await drain(t.db, [t.handler])).toMatchObject([{ outcome: 'completed', attempt: 2 }])
  })
})
