import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { countJobs, type JobSummary, type ListOptions, listJobs, type Scope } from '../src/admin/index.ts'
import { insertNode, insertWorker } from '../src/testing/index.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
let other = ''
beforeAll(async () => {
  other = (await insertNode(queue.db)).id
})

/** Rows that all have one created_at, unless told otherwise. */
const insertMany = (count: number, columns = '', values = '') =>
  queue.pool.query(
    `insert into job_queue (collection_node_id, job_type, payload, created_at ${columns})
     select $1, 'test_job', to_jsonb(n), '2026-01-02 03:04:05.678901Z' ${values} from generate_series(1, $2) n`,
    [queue.collectionNodeId, count],
  )

async function allPages(scope: Scope, options: ListOptions = {}): Promise<JobSummary[][]> {
  const pages: JobSummary[][] = []
  let cursor: string | null | undefined
  do {
    const page = await listJobs(queue.db, scope, cursor ? { ...options, cursor } : options)
    pages.push(page.jobs)
    cursor = page.nextCursor
  } while (cursor)
  return pages
}

describe('listJobs', () => {
  test('pages over 1,000 rows of one moment, none twice and none left out', async () => {
    await insertMany(1_000)
    const pages = await allPages('all', { limit: 77 })
    expect(pages.map((page) => page.length)).toEqual([...Array(12).fill(77), 76])
    const ids = pages.flat().map((job) => job.id)
    expect(new Set(ids).size).toBe(1_000)
    expect(ids).toEqual(ids.toSorted().toReversed())
  })

  test('tells microseconds apart, whatever the time zone and style of the session', async () => {
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, priority, created_at)
       select $1, 'test_job', to_jsonb(n), n, '2026-03-29 00:59:59.999990Z'::timestamptz + n * interval '1 microsecond' from generate_series(1, 20) n`,
      [queue.collectionNodeId],
    )
    await queue.db.connection().execute(async (db) => {
      for (const setting of [`time zone 'Asia/Kathmandu'`, `time zone 'Europe/Oslo'`, `datestyle to 'German'`]) {
        await sql.raw(`set ${setting}`).execute(db)
        const seen: unknown[] = []
        let cursor: string | null | undefined
        do {
          const page = await listJobs(db, 'all', { limit: 3, ...(cursor ? { cursor } : {}) })
          seen.push(...page.jobs.map((job) => job.priority))
          cursor = page.nextCursor
        } while (cursor)
        expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => 20 - n))
      }
      await sql`reset all`.execute(db)
    })
  })

  test('a job that is enqueued between two pages shifts nothing', async () => {
    await insertMany(10)
    const first = await listJobs(queue.db, 'all', { limit: 5 })
    await queue.insert()
    const second = await listJobs(queue.db, 'all', { limit: 5, cursor: first.nextCursor ?? '' })
    expect(new Set([...first.jobs, ...second.jobs].map((job) => job.id)).size).toBe(10)
    expect(second.nextCursor).toBeNull()
  })

  test('filters by status and type, also across pages', async () => {
    const statuses = `(array['pending', 'running', 'completed', 'error', 'retry', 'cancelled'])[n % 6 + 1]::job_status`
    await insertMany(60, ', status', `, ${statuses}`)
    await queue.pool.query(`update job_queue set job_type = 'other_job' where payload::int > 30`)
    const worker = await insertWorker(queue.db)
    await queue.pool.query(`update job_queue set worker_id = $1 where status = 'running'`, [worker.id])
    for (const status of ['pending', 'running', 'completed', 'error', 'retry', 'cancelled'] as const) {
      const jobs = (await allPages('all', { status, limit: 3 })).flat()
      expect(jobs).toHaveLength(10)
      expect(jobs.every((job) => job.status === status)).toBe(true)
      expect((await allPages('all', { status, type: 'other_job', limit: 3 })).flat()).toHaveLength(5)
    }
    expect((await listJobs(queue.db, 'all', { type: "x' or true" })).jobs).toEqual([])
  })

  test("shows the scope's jobs and no others, in pages, filters and counts", async () => {
    await insertMany(3)
    await queue.insert({ collection_node_id: other, status: 'error', job_type: 'secret_job' })
    const mine = { collectionNodeIds: [queue.collectionNodeId] }
    expect((await allPages(mine, { limit: 1 })).flat().map((job) => job.job_type)).toEqual(Array(3).fill('test_job'))
    expect((await listJobs(queue.db, mine, { status: 'error' })).jobs).toEqual([])
    expect((await listJobs(queue.db, mine, { type: 'secret_job' })).jobs).toEqual([])
    expect((await listJobs(queue.db, { collectionNodeIds: [] })).jobs).toEqual([])
    expect((await listJobs(queue.db, { collectionNodeIds: [other, queue.collectionNodeId] })).jobs).toHaveLength(4)
    expect(await countJobs(queue.db, mine)).toEqual([{ type: 'test_job', status: 'pending', count: 3 }])
    expect(await countJobs(queue.db, { collectionNodeIds: [] })).toEqual([])
    expect(await countJobs(queue.db, 'all')).toEqual([
      { type: 'secret_job', status: 'error', count: 1 },
      { type: 'test_job', status: 'pending', count: 3 },
    ])
  })

  test("a cursor opens nothing: with another scope it gives that scope's jobs", async () => {
    await queue.insert({ collection_node_id: other, created_at: new Date(0) })
    await insertMany(2)
    const { nextCursor } = await listJobs(queue.db, 'all', { limit: 1 })
    const page = await listJobs(queue.db, { collectionNodeIds: [queue.collectionNodeId] }, { cursor: nextCursor ?? '' })
    expect(page.jobs.map((job) => job.collection_node_id)).toEqual([queue.collectionNodeId])
  })

  test.each([
    [{ limit: 0 }, 'LIST_LIMIT'],
    [{ limit: 201 }, 'LIST_LIMIT'],
    [{ limit: 1.5 }, 'LIST_LIMIT'],
    [{ limit: Number.NaN }, 'LIST_LIMIT'],
    [{ status: 'done' }, 'LIST_STATUS'],
    [{ status: '' }, 'LIST_STATUS'],
    [{ cursor: '' }, 'CURSOR_INVALID'],
    [{ cursor: 'garbage' }, 'CURSOR_INVALID'],
    [{ cursor: Buffer.from("1767323045678901|' or true --").toString('base64url') }, 'CURSOR_INVALID'],
    [{ cursor: Buffer.from(`1767323045678901|${'-'.repeat(36)}`).toString('base64url') }, 'CURSOR_INVALID'],
    [{ cursor: Buffer.from('99999999999999999|01900000-0000-7000-8000-000000000001').toString('base64url') }, 'CURSOR_INVALID'],
    [{ cursor: 7 }, 'CURSOR_INVALID'],
  ])('refuses %j before any SQL', async (options, code) => {
    await expect(listJobs(queue.db, 'all', options as never)).rejects.toMatchObject({ kind: 'permanent', code })
  })

  test('takes the largest page there is', async () => {
    await insertMany(201)
    const page = await listJobs(queue.db, 'all', { limit: 200 })
    expect(page.jobs).toHaveLength(200)
    expect(page.nextCursor).not.toBeNull()
  })
})
