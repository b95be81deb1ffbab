import { Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Adoption, migrate, type QueueDatabase } from '../../src/admin/index.ts'
import { defineJob, enqueue } from '../../src/index.ts'
import { waitForJob } from '../../src/testing/index.ts'
import { createWorker, defineHandler } from '../../src/worker/index.ts'
import { createLegacyDatabase, jobId, jobs, type LegacyDatabase, type LegacyShape, named, shapes } from './legacy-queue.ts'

const payload = z.object({ n: z.string() })
const types = ['old_a', 'old_b'].map((type) => defineJob({ type, payload }))

interface Row extends Record<string, unknown> {
  id: string
  status: string
  attempts: number
  collection_node_id: string
  started_at: Date
  completed_at: Date
  scheduled_for: Date
  sequence: string
}

describe.each(shapes)('a queue of the shape %s', (shape) => {
  let database: LegacyDatabase
  let before: Row[]
  let after: Row[]
  let adoption: Adoption | undefined
  /** Job n of those in legacy-queue.ts. */
  const job = (n: number) => after[n - 1] as Row

  beforeAll(async () => {
    database = await createLegacyDatabase(shape)
    const read = () => database.query<Row>('select * from job_queue order by id')
    before = await read()
    adoption = (await database.withPool((pool) => migrate(pool, { adopt: { collectionNodeId: named } }))).adoption
    after = await read()
  })
  afterAll(() => database.drop())

  test('loses no row and changes no value but those of running and untimed jobs', () => {
    expect(after.map(({ id }) => id)).toEqual(jobs.map(({ n }) => jobId(n)))
    const changes = before.map(({ workspace_id, ...old }, index) => {
      const expected: Record<string, unknown> = { ...old, ...(workspace_id ? { collection_node_id: workspace_id } : {}) }
      return Object.keys(expected).filter((name) => JSON.stringify(after[index]?.[name]) !== JSON.stringify(expected[name]))
    })
    const rescheduled = ['status', 'scheduled_for']
    expect(changes).toEqual([[], [], [], [], rescheduled, rescheduled, [], ['completed_at'], []])
  })

  test('makes running jobs due, with a row in job_attempts that charges nothing', async () => {
    for (const n of [5, 6]) {
      expect(job(n)).toMatchObject({ status: 'retry', run: 1, ready: true, worker_id: null, completed_at: null })
      expect(job(n).scheduled_for.getTime()).toBeLessThanOrEqual(Date.now())
    }
    const attempts = await database.query('select job_id, run, attempt, end_reason, worker_id from job_attempts order by job_id')
    expect(attempts).toEqual([
      { job_id: jobId(5), run: 1, attempt: 1, end_reason: 'interrupted', worker_id: null },
      { job_id: jobId(6), run: 1, attempt: 3, end_reason: 'interrupted', worker_id: null },
    ])
  })

  test('gives each final job its time', () => {
    const times = [7, 8, 9].map((n) => job(n).completed_at.getTime() - job(n).started_at.getTime())
    expect(times).toEqual([60_000, 0, 480_000])
    expect([8, 9].map((n) => job(n).failed)).toEqual([true, true])
  })

  test('gives each job its collection', async () => {
    const expected = shape === 'no-tenant' ? [named] : ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002']
    expect([...new Set(after.map((row) => row.collection_node_id))].sort()).toEqual(expected)
    const nodes = await database.query('select id, kind, title, metadata from nodes order by id')
    expect(nodes).toEqual(nodesOf[shape])
  })

  test('numbers waiting jobs of equal priority and time as they were enqueued', async () => {
    // 5 and 6 became due at one instant; 6 is the older one.
    expect(Number(job(6).sequence)).toBeLessThan(Number(job(5).sequence))
    const [row] = await database.query<{ next: string; last: string }>(
      `select nextval(pg_get_serial_sequence('job_queue', 'sequence')) as next, max(sequence) as last from job_queue`,
    )
    expect(Number(row?.next)).toBeGreaterThan(Number(row?.last))
  })

  test('said beforehand what it did', () => {
    expect(adoption).toMatchObject({ problems: [], connected: [], startedMsAgo: null, bytes: expect.any(Number) })
    expect(adoption?.jobs).toEqual({ pending: 3, retry: 1, running: 2, completed: 1, error: 2 })
    expect({ ...adoption, bytes: 0, lockedMs: 0, steps: adoption?.steps.map(({ name }) => name) }).toMatchSnapshot()
  })

  test('has every check of a new queue in force, and nothing left to do', async () => {
    expect(await database.query(`select conname from pg_constraint where conrelid = 'job_queue'::regclass and not convalidated`)).toEqual(
      [],
    )
    expect(await database.query(`select to_regclass('idx_job_queue_pending') as legacy`)).toEqual([{ legacy: null }])
    const again = await database.withPool((pool) => migrate(pool, { adopt: { collectionNodeId: named } }))
    expect(again).toEqual({ applied: [] })
  })

  test('runs: old jobs, new jobs, unique keys', async () => {
    await database.withPool(async (pool) => {
      const db = new Kysely<QueueDatabase>({ dialect: new PostgresDialect({ pool }) })
      const collectionNodeId = job(1).collection_node_id
      const unique = { key: 'one', until: 'finished' } as const
      const definition = types[0] as (typeof types)[number]
      const first = await enqueue(db, definition, { n: 'new' }, { collectionNodeId, unique })
      expect(await enqueue(db, definition, { n: 'new' }, { collectionNodeId, unique })).toEqual({ id: first.id, outcome: 'kept' })
      const ran: string[] = []
      const worker = createWorker({
        connection: database.connectionString,
        handlers: types.map((type) => defineHandler(type, async ({ job }) => void ran.push(job.id))),
      })
      await worker.start()
      const due = [jobId(1), jobId(2), jobId(4), jobId(5), jobId(6), first.id]
      const done = await Promise.all(due.map((id) => waitForJob(db, id)))
      await worker.stop()
      expect(done.map(({ status, attempts }) => [status, attempts])).toEqual([1, 1, 3, 1, 3, 1].map((attempts) => ['completed', attempts]))
      expect(ran.sort()).toEqual(due.sort())
      expect(await db.selectFrom('job_queue').select('status').where('id', '=', jobId(3)).executeTakeFirst()).toEqual({ status: 'pending' })
    })
  })

  test('goes with its collection', async () => {
    await database.query('delete from nodes')
    expect(await database.query('select count(*)::int as jobs from job_queue')).toEqual([{ jobs: 0 }])
  })
})

const nodesOf: Record<LegacyShape, object[]> = {
  'no-tenant': [{ id: named, kind: 'collection', title: 'Adopted jobs', metadata: {} }],
  'workspace-id': [
    {
      id: 'aaaaaaaa-0000-4000-8000-000000000001',
      kind: 'collection',
      title: 'Fjellradio',
      metadata: { jobs: { language: 'nb' }, theme: 'dark' },
    },
    { id: 'aaaaaaaa-0000-4000-8000-000000000002', kind: 'collection', title: 'Havnepodden', metadata: {} },
    { id: 'aaaaaaaa-0000-4000-8000-000000000003', kind: 'collection', title: 'Nothing yet', metadata: {} },
  ],
  'collection-node-id': [
    { id: 'aaaaaaaa-0000-4000-8000-000000000001', kind: 'collection', title: 'Fjellradio', metadata: {} },
    { id: 'aaaaaaaa-0000-4000-8000-000000000002', kind: 'collection', title: 'Havnepodden', metadata: {} },
  ],
}
