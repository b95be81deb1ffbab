import { beforeAll, describe, expect, test } from 'vitest'
import { type ListOptions, listErrorGroups, listJobs, previewBulk, type Scope } from '../../src/admin/index.ts'
import { actedJobs } from '../../src/admin/list/acted-jobs.ts'
import { checkListOptions } from '../../src/admin/list/list-options.ts'
import { insertNode, insertWorker } from '../../src/testing/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const collections: string[] = []
beforeAll(async () => {
  for (let n = 0; n < 3; n++) collections.push((await insertNode(queue.db)).id)
})

/** So many jobs in the first of the test's collections, one a second, the newest last. */
const insertMany = (count: number, status: string, type = 'test_job', from = '2026-01-02') =>
  queue.pool.query(
    `insert into job_queue (collection_node_id, job_type, payload, status, created_at)
     select $1, $3, '{}', $4::job_status, $5::timestamptz + n * interval '1 second' from generate_series(1, $2) n`,
    [collections[0], count, type, status, from],
  )

async function all(options: ListOptions, scope: Scope = 'all') {
  const ids: string[] = []
  let pages = 0
  let cursor: string | null = null
  do {
    const page = await listJobs(queue.db, scope, { ...options, ...(cursor === null ? {} : { cursor }) })
    ids.push(...page.jobs.map((job) => job.id))
    cursor = page.nextCursor
    pages++
  } while (cursor !== null)
  return { ids, pages }
}

describe('a list of what is rare', () => {
  test('shows a running and a waiting job at once, behind more finished ones than a window holds', async () => {
    const worker = await insertWorker(queue.db)
    const old = { created_at: new Date(0), collection_node_id: collections[0] as string }
    const running = await queue.insert({ ...old, status: 'running', worker_id: worker.id, claim: '1' })
    const waiting = await queue.insert({ ...old, status: 'retry', created_at: new Date(1) })
    await insertMany(25_000, 'completed')
    for (const [status, id] of [['running', running.id] as const, ['retry', waiting.id] as const]) {
      expect((await listJobs(queue.db, 'all', { status })).jobs.map((job) => job.id)).toEqual([id])
    }
    expect((await all({ status: ['running', 'retry'], limit: 1 })).ids).toEqual([waiting.id, running.id])
  })

  test('shows an old running job on one page only, also where many wait', async () => {
    const worker = await insertWorker(queue.db)
    const old = { created_at: new Date(0), collection_node_id: collections[0] as string }
    const running = await queue.insert({ ...old, status: 'running', worker_id: worker.id, claim: '1' })
    await insertMany(6_000, 'pending')
    await insertMany(12_000, 'completed', 'test_job', '2027-01-01')
    expect((await listJobs(queue.db, 'all', { status: 'running' })).jobs.map((job) => job.id)).toEqual([running.id])
    const found = await all({ status: ['running', 'pending'], limit: 200 })
    expect(found.ids).toHaveLength(6_001)
    expect(new Set(found.ids).size).toBe(6_001)
    expect(found.ids.at(-1)).toBe(running.id)
  })

  test('looks at a window at a time, gives back where it goes on, and finds all in the end, none twice', async () => {
    await insertMany(3, 'cancelled', 'rare_job', '2025-01-01')
    await insertMany(25_000, 'completed')
    await insertMany(2, 'cancelled', 'rare_job', '2026-06-01')
    const first = await listJobs(queue.db, 'all', { type: 'rare_job' })
    expect(first.jobs).toHaveLength(2)
    expect(first.nextCursor).not.toBeNull()
    const found = await all({ type: 'rare_job', limit: 2 })
    expect(found.ids).toHaveLength(5)
    expect(new Set(found.ids).size).toBe(5)
    expect((await all({ status: 'cancelled', limit: 3 })).ids).toEqual(found.ids)
  })
})

describe('a list of several collections', () => {
  test('is in order over all of them, also where a filter stops at a different age in each', async () => {
    for (const [index, id] of collections.entries()) {
      await queue.pool.query(
        `insert into job_queue (collection_node_id, job_type, payload, status, created_at)
         select $1, case when n % 1000 = 0 then 'rare_job' else 'test_job' end, '{}', 'completed', '2026-01-01'::timestamptz + n * $2 * interval '1 minute'
         from generate_series(1, 10000) n`,
        [id, index + 1],
      )
    }
    const found = await all({ type: 'rare_job', limit: 4 })
    const { rows } = await queue.pool.query(`select id from job_queue where job_type = 'rare_job' order by created_at desc, id desc`)
    expect(found.ids).toEqual(rows.map(({ id }) => id))
    const scope = { collectionNodeIds: collections.slice(0, 2) }
    expect((await all({ type: 'rare_job', limit: 4 }, scope)).ids).toHaveLength(20)
    expect((await all({ type: 'rare_job', collectionNodeId: collections[2] as string }, scope)).ids).toEqual([])
  })

  test('with an offset goes on where the page before ended', async () => {
    await insertMany(30, 'completed')
    const page = async (offset: number) => (await listJobs(queue.db, 'all', { limit: 10, offset })).jobs.map((job) => job.id)
    expect([...(await page(0)), ...(await page(10)), ...(await page(20)), ...(await page(30))]).toEqual((await all({ limit: 200 })).ids)
  })
})

describe('a search', () => {
  test('finds by id, however old, by correlation id, and by words of the error in any case, as text', async () => {
    const old = await queue.insert({ collection_node_id: collections[0] as string, created_at: new Date(0) })
    await insertMany(25_000, 'completed')
    const one = await queue.insert({ collection_node_id: collections[0] as string, correlation_id: 'order%7' })
    const two = await queue.insert({
      collection_node_id: collections[0] as string,
      status: 'error',
      error_msg: 'Gateway (503) answered 100%_no',
    })
    const ids = async (search: string) => (await listJobs(queue.db, 'all', { search })).jobs.map((job) => job.id)
    expect(await ids(old.id)).toEqual([old.id])
    expect(await ids('order%7')).toEqual([one.id])
    expect(await ids('gateway (503)')).toEqual([two.id])
    expect(await ids('100%_NO')).toEqual([two.id])
    expect(await ids('.*')).toEqual([])
  })

  test.each([
    [{ search: '' }, 'LIST_FILTER'],
    [{ search: 'a\0b' }, 'LIST_FILTER'],
    [{ search: 'x'.repeat(201) }, 'LIST_FILTER'],
    [{ offset: 10_001 }, 'LIST_OFFSET'],
    [{ offset: -1 }, 'LIST_OFFSET'],
    [{ type: Array(101).fill('a') }, 'LIST_FILTER'],
    [{ collectionNodeId: 'x' }, 'LIST_FILTER'],
    [{ createdFrom: new Date('no') }, 'LIST_FILTER'],
    [{ errorGroup: "' or true" }, 'LIST_FILTER'],
    [{ status: ['error', 'x'] }, 'LIST_STATUS'],
  ])('refuses %j before any SQL', async (options, code) => {
    await expect(listJobs(queue.db, 'all', options as never)).rejects.toMatchObject({ kind: 'permanent', code })
  })
})

describe('failed jobs', () => {
  test('are one group a cause and type, largest first; a group is listed and previewed by its name', async () => {
    const failed = (job_type: string, error_msg: string, error_group: string | null = null) =>
      queue.insert({
        collection_node_id: collections[0] as string,
        job_type,
        status: 'error',
        error_msg,
        error_group,
        completed_at: new Date(),
      })
    for (let n = 0; n < 3; n++) await failed('a_job', `answer ${n}`, 'aaaa')
    await failed('b_job', 'same text')
    await failed('b_job', 'same text')
    await queue.insert({ status: 'error', job_type: 'c_job', error_msg: 'of another collection' })
    const mine = { collectionNodeIds: [collections[0] as string] }
    const { groups, capped } = await listErrorGroups(queue.db, mine)
    expect(capped).toBe(false)
    expect(groups).toMatchObject([
      { type: 'a_job', jobs: 3, group: 'aaaa', message: 'answer 2', collections: 1 },
      { type: 'b_job', jobs: 2, message: 'same text' },
    ])
    for (const { group, jobs } of groups) {
      expect((await listJobs(queue.db, mine, { errorGroup: group })).jobs).toHaveLength(jobs)
      expect(await previewBulk(queue.db, mine, { action: 'retry', filter: { errorGroup: group } })).toMatchObject({ jobs, more: false })
    }
    expect((await listErrorGroups(queue.db, 'all')).groups).toHaveLength(3)
  })
})

describe('jobs that somebody has acted on', () => {
  const act = (id: string, actor: string, action = 'retry', outcome = 'applied') =>
    queue.pool.query('insert into job_audit (actor, action, outcome, job_id) values ($1, $3, $4, $2)', [actor, id, action, outcome])

  test('are found by what was done, each once, within the scope and by every other filter', async () => {
    const [mine = '', theirs = ''] = collections
    const failed = await queue.insert({ collection_node_id: mine, status: 'error', created_at: new Date(3) })
    const waiting = await queue.insert({ collection_node_id: mine, created_at: new Date(2) })
    const elsewhere = await queue.insert({ collection_node_id: theirs, created_at: new Date(1) })
    const others = await queue.insert({ collection_node_id: mine })
    const looked = await queue.insert({ collection_node_id: mine })
    const refused = await queue.insert({ collection_node_id: mine })
    for (const { id } of [failed, failed, waiting, elsewhere]) await act(id, 'kari')
    await act(others.id, 'ola')
    await act(looked.id, 'kari', 'read_raw')
    await act(refused.id, 'kari', 'cancel', 'refused')
    const kari = { actedBy: 'kari' } as const
    expect(await all({ ...kari, limit: 1 })).toEqual({ ids: [failed.id, waiting.id, elsewhere.id], pages: 3 })
    expect((await all(kari, { collectionNodeIds: [mine] })).ids).toEqual([failed.id, waiting.id])
    expect((await all({ ...kari, status: 'pending', collectionNodeId: mine })).ids).toEqual([waiting.id])
    expect((await all({ ...kari, search: waiting.id })).ids).toEqual([waiting.id])
    expect((await all({ actedBy: 'nobody' })).ids).toEqual([])
    const bulk = await previewBulk(queue.db, 'all', { action: 'retry', filter: kari })
    expect(bulk.jobs).toBe(1)
  })

  test('through the index of what one person has done', async () => {
    const client = await queue.pool.connect()
    try {
      await client.query('begin; set local enable_seqscan = off')
      const { name: _, ...statement } = actedJobs({ ...checkListOptions({ actedBy: 'kari' }) }, collections)
      const { rows } = await client.query({ ...statement, text: `explain ${statement.text}` })
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index Scan using job_audit_actor')
      expect(plan).not.toContain('Seq Scan')
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
