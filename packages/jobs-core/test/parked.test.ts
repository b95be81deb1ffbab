import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cancelJob, pauseJobs, resumeJobs, retryJob } from '../src/admin/index.ts'
import { defineJob, enqueueMany } from '../src/index.ts'
import { parkPausedJobs } from '../src/queue/park-paused-jobs.ts'
import { settleAndClaim } from '../src/queue/settle-and-claim.ts'
import { unparkJobs } from '../src/queue/unpark-jobs.ts'
import { insertNode } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { holdTransaction, untilSomebodyWaits } from './support/hold-lock.ts'
import { sentQuery } from './support/sent-query.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)
const here = () => queue.collectionNodeId
let other = ''
beforeAll(async () => {
  other = (await insertNode(queue.db)).id
})

const park = (types = ['test_job'], max = 1_000) => parkPausedJobs(statements.connection, types, max)
const unpark = (max = 1_000) => unparkJobs(statements.connection, max)
const fill = (count: number, collection = here(), columns = `'test_job', '{}', 0, now()`) =>
  queue.pool.query(
    `insert into job_queue (collection_node_id, job_type, payload, priority, scheduled_for) select $1, ${columns} from generate_series(1, $2) n`,
    [collection, count],
  )
async function parked(): Promise<{ ids: string[]; other: number }> {
  const { rows } = await queue.pool.query(
    'select id, parked from job_queue where ready order by priority desc, scheduled_for, sequence, id',
  )
  return { ids: rows.filter((row) => row.parked).map((row) => row.id), other: rows.filter((row) => !row.parked).length }
}
const pauseHere = (type?: string) => pauseJobs(queue.db, { collectionNodeId: here(), type }, 'all')
const resumeHere = (type?: string) => resumeJobs(queue.db, { collectionNodeId: here(), type }, 'all')

describe('jobs of a paused collection', () => {
  test('stand aside once they are due and at the head of the queue, so many at a time', async () => {
    await fill(30)
    await fill(5, here(), `'test_job', '{}', 0, now() + interval '1 hour'`)
    await fill(5, here(), `'other_job', '{}', 0, now()`)
    await fill(5, other)
    expect(await park()).toBe(0)
    await pauseHere()
    expect(await park(['test_job'], 20)).toBe(20)
    expect(await park()).toBe(10)
    expect(await park()).toBe(0)
    expect(await parked()).toMatchObject({ ids: { length: 30 }, other: 15 })
  })

  test('of one type stand aside alone; those of a paused type do not, for claims do not see them anyway', async () => {
    await fill(3)
    await fill(3, here(), `'other_job', '{}', 0, now()`)
    await pauseHere('test_job')
    await pauseJobs(queue.db, { type: 'other_job' }, 'all')
    expect(await park(['test_job', 'other_job'])).toBe(3)
  })

  test('come back in their order when that ends: a thousand at once, the rest by the workers, so many at a time', async () => {
    await fill(1_300, here(), `'test_job', '{}', n % 3, now() - n * interval '1 ms'`)
    await pauseHere()
    expect(await park(['test_job'], 2_000)).toBe(1_300)
    const { ids } = await parked()
    expect(await unpark()).toEqual({ released: 0, more: false })
    await resumeHere()
    expect((await parked()).ids).toEqual(ids.slice(1_000))
    expect(await unpark(200)).toEqual({ released: 200, more: true })
    expect((await parked()).ids).toEqual(ids.slice(1_200))
    expect(await unpark(200)).toEqual({ released: 100, more: true })
    expect(await unpark(200)).toEqual({ released: 0, more: false })
    const claimed = await statements.claim(await statements.register(), 1_300)
    expect(claimed.map(({ id }) => id)).toEqual(ids)
  })

  test('stay aside while another pause holds them', async () => {
    await fill(4)
    await fill(4, here(), `'other_job', '{}', 0, now()`)
    await pauseHere()
    await pauseHere('other_job')
    expect(await park(['test_job', 'other_job'])).toBe(8)
    await resumeHere()
    expect(await unpark()).toEqual({ released: 0, more: false })
    expect(await parked()).toMatchObject({ ids: { length: 4 }, other: 4 })
    await resumeHere('other_job')
    expect(await parked()).toMatchObject({ ids: [], other: 8 })
  })

  test('are not forgotten when the pause ends just while they step aside', async () => {
    await fill(10)
    await pauseHere()
    const holding = await holdTransaction(queue.pool, `select park_paused_jobs('{test_job}', 100)`)
    const resuming = resumeHere()
    await untilSomebodyWaits(queue.pool)
    await holding.commit()
    expect(await resuming).toBe(true)
    expect(await parked()).toEqual({ ids: [], other: 10 })
  })

  test('do not step aside any more once its end is under way', async () => {
    await fill(10)
    await pauseHere()
    const resuming = await holdTransaction(queue.pool, 'select resume_jobs(null, $1)', [here()])
    const holding = park()
    await untilSomebodyWaits(queue.pool)
    await resuming.commit()
    expect(await holding).toBe(0)
    expect(await parked()).toEqual({ ids: [], other: 10 })
  })

  test('that stand aside can be cancelled, and retried later', async () => {
    const { id } = await queue.insert()
    await pauseHere()
    await park()
    expect((await queue.job(id)).parked).toBe(true)
    await cancelJob(queue.db, id, 'all')
    expect(await queue.job(id)).toMatchObject({ status: 'cancelled', parked: false })
    await retryJob(queue.db, id, 'all')
    expect(await queue.job(id)).toMatchObject({ status: 'pending', parked: false })
    expect(await park()).toBe(1)
    await resumeHere()
    expect(await statements.claim(await statements.register(), 1)).toMatchObject([{ id }])
  })
})

describe.each([
  ['in the order of the queue', false],
  ['type by type', true],
])('a claim %s', (_name, byType) => {
  test('reads nothing of what stands aside, however much that is', async () => {
    await fill(20_000, here(), `'test_job', '{}', 5, now()`)
    await fill(100, other)
    await pauseHere()
    const rowsRead = async () => {
      const nothing = { completed: [], starting: [], claim: 1, lookahead: 0, rescuedHeld: 0, lastChanceHeld: false }
      const workerId = await statements.register()
      const { text, values } = await sentQuery((connection) =>
        settleAndClaim(connection, { ...nothing, workerId, types: ['test_job'], limit: 5, freeSlots: 5, byType }),
      )
      const explain = { values, name: `explained_${byType}`, text: `explain (analyze, timing off, format json) ${text}` }
      const rows = await statements.connection.run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain)
      return scans(rows[0]?.['QUERY PLAN'][0].Plan).filter(({ 'Index Name': index }) => index?.startsWith('job_queue_claimable'))
    }
    const [before] = await rowsRead()
    expect(before?.['Rows Removed by Filter']).toBe(20_000)
    while ((await park(['test_job'], 10_000)) > 0);
    const [after] = await rowsRead()
    expect(after?.['Rows Removed by Filter'] ?? 0).toBe(0)
    expect(after?.['Index Name']).toBe(byType ? 'job_queue_claimable_by_type' : 'job_queue_claimable')
  })
})

describe('workers', () => {
  const definition = defineJob({ type: 'a_job', payload: z.any() })
  const handler = defineHandler(definition, async () => {})
  const add = (count: number, collectionNodeId: string) =>
    enqueueMany(queue.db, definition, Array(count).fill({ payload: 1 }), { collectionNodeId })
  const until = async (sql: string) => {
    while ((await queue.pool.query(sql)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const allHeld = 'select from job_queue where ready having bool_and(parked)'
  const allDone = `select from job_queue having bool_and(status = 'completed')`

  test('let them stand aside, take others meanwhile, and take them back in their order', async () => {
    await add(3_000, here())
    await pauseHere()
    const worker = await queue.startWorker([handler], { maxConcurrent: 1 })
    await add(50, other)
    await until(allHeld)
    expect((await queue.pool.query(`select distinct collection_node_id from job_queue where status = 'completed'`)).rows).toEqual([
      { collection_node_id: other },
    ])
    await resumeHere()
    await until(allDone)
    const { rows } = await queue.pool.query(
      'select from (select sequence < lag(sequence) over (order by started_at, sequence) as back from job_queue where collection_node_id = $1) o where back',
      [here()],
    )
    expect(rows).toEqual([])
    await worker.stop()
  })

  test('take back what a worker before them left aside', async () => {
    await add(5, here())
    await queue.pool.query('update job_queue set parked = true')
    await queue.startWorker([handler], { pollIntervalMs: 60_000 })
    await until(allDone)
  })

  test('lose none and run none twice, however often it is paused and resumed meanwhile', async () => {
    for (const collection of [here(), other]) await add(600, collection)
    for (let n = 0; n < 3; n++) await queue.startWorker([handler])
    const targets = [{ collectionNodeId: here() }, { collectionNodeId: other, type: 'a_job' }, { type: 'a_job' }]
    for (let n = 0; n < 30; n++) {
      const target = targets[n % 3] as object
      await pauseJobs(queue.db, target, 'all')
      if (n % 5 === 0) await add(20, here())
      await park(['a_job'], 50)
      await resumeJobs(queue.db, target, 'all')
    }
    await until(allDone)
    const { rows } = await queue.pool.query('select count(*)::int as jobs, max(run) as runs, bool_or(parked) as parked from job_queue')
    expect(rows).toEqual([{ jobs: 1_320, runs: expect.any(Number), parked: false }])
    const completed = queue.named('job.completed').map(({ jobId }) => jobId)
    expect(new Set(completed).size).toBe(1_320)
    expect(completed).toHaveLength(1_320)
  })
})

interface PlanNode {
  'Index Name'?: string
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function scans(node: PlanNode | undefined): PlanNode[] {
  return node ? [node, ...(node.Plans ?? []).flatMap(scans)] : []
}
