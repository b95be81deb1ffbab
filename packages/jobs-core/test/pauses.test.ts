import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listPauses, type PauseTarget, pauseJobs, resumeJobs, retryJob } from '../src/admin/index.ts'
import { defineJob, enqueue } from '../src/index.ts'
import { decideOutcome } from '../src/policy/outcome.ts'
import { markDeadWorkers } from '../src/queue/mark-dead-workers.ts'
import { rescueJobs } from '../src/queue/rescue-jobs.ts'
import { settleEndings } from '../src/queue/settle-endings.ts'
import { insertNode } from '../src/testing/index.ts'
import { defineHandler } from '../src/worker/index.ts'
import { deferred } from './support/deferred.ts'
import { holdTransaction } from './support/hold-lock.ts'
import { type Job, useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const statements = useStatements(queue)
const { register, trip, expire } = statements
let other = ''
beforeAll(async () => {
  other = (await insertNode(queue.db)).id
})

const here = () => queue.collectionNodeId
const types = ['type_a', 'type_b']
const ids = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id)
const pause = (target: PauseTarget) => pauseJobs(queue.db, target, 'all')
const resume = (target: PauseTarget) => resumeJobs(queue.db, target, 'all')
/** One job of each type in each collection, in the queue's order: a here, a there, b here, b there. */
async function fill(columns: object = {}): Promise<[Job, Job, Job, Job]> {
  const add = (job_type: string, collection_node_id: string) => queue.insert({ job_type, collection_node_id, ...columns })
  return [await add('type_a', here()), await add('type_a', other), await add('type_b', here()), await add('type_b', other)]
}

describe.each([
  ['in the order of the queue', false],
  ['type by type', true],
])('a claim %s', (_name, byType) => {
  const claim = async (workerId: string, limit = 20) => (await trip({ workerId, types, limit, freeSlots: limit, byType })).claimed

  test.each<[string, () => PauseTarget, number[]]>([
    ['a type', () => ({ type: 'type_a' }), [2, 3]],
    ['a collection', () => ({ collectionNodeId: here() }), [1, 3]],
    ['a type within a collection', () => ({ type: 'type_a', collectionNodeId: here() }), [1, 2, 3]],
  ])('leaves what belongs to %s that is paused, and takes it in its order once that ends', async (_what, target, open) => {
    const jobs = await fill()
    const worker = await register()
    await pause(target())
    expect(ids(await claim(worker))).toEqual(open.map((index) => jobs[index]?.id))
    expect(await claim(worker)).toEqual([])
    const [another] = await fill()
    await resume(target())
    const rest = ids(await claim(worker))
    expect(rest.slice(0, 4 - open.length)).toEqual(ids(jobs.filter((_, index) => !open.includes(index))))
    expect(rest).toContain(another.id)
  })

  test('takes nothing while everything is paused in one way or another', async () => {
    await fill()
    const targets = [{ type: 'type_a' }, { type: 'type_b', collectionNodeId: here() }, { collectionNodeId: other }]
    for (const target of targets) await pause(target)
    const worker = await register()
    expect(await claim(worker)).toEqual([])
    for (const target of targets) {
      await resume(target)
      expect((await claim(worker)).length).toBeGreaterThan(0)
    }
  })

  test('takes no paused job once the pause has committed, whatever else is going on', async () => {
    await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload)
       select case when n % 2 = 0 then $1::uuid else $2 end, 'type_a', '{}' from generate_series(1, 6000) n`,
      [here(), other],
    )
    const workers = await Promise.all(Array.from({ length: 6 }, () => register()))
    const begun = deferred()
    const claimAll = async (worker: string) => {
      while ((await claim(worker, 3)).length > 0) begun.resolve()
    }
    const claiming = Promise.all(workers.map(claimAll))
    await begun.promise
    await pause({ collectionNodeId: here() })
    const { rows } = await queue.pool.query('select clock_timestamp()::text as paused_at')
    await claiming
    const claimed = await queue.pool.query(
      `select count(*) filter (where not ready)::int as taken, count(*) filter (where not ready and started_at > $2::timestamptz)::int as late
       from job_queue where collection_node_id = $1`,
      [here(), rows[0].paused_at],
    )
    expect(claimed.rows).toEqual([{ taken: expect.any(Number), late: 0 }])
    expect(claimed.rows[0].taken).toBeLessThan(3_000)
    expect((await queue.pool.query('select from job_queue where collection_node_id = $1 and ready', [other])).rows).toEqual([])
  })

  test('does not know of a pause that is not committed', async () => {
    const jobs = await fill()
    const pausing = await holdTransaction(queue.pool, `select pause_jobs('type_a')`, [])
    expect(ids(await claim(await register(), 1))).toEqual([jobs[0].id])
    await pausing.commit()
    expect(ids(await claim(await register(), 1))).toEqual([jobs[2].id])
  })
})

describe('jobs of a paused type', () => {
  const claim = async (workerId: string) => (await trip({ workerId, types, limit: 20, freeSlots: 20 })).claimed

  test('that run go on to their end', async () => {
    const [job] = await fill()
    const worker = await register()
    const [claimed] = await trip({ workerId: worker, types, limit: 1, freeSlots: 1 }).then((done) => done.claimed)
    await pause({ type: 'type_a' })
    const completed = [{ id: job.id, run: claimed?.run ?? 0, resultJson: '1', mayHaveSteps: false }]
    expect((await trip({ workerId: worker, completed })).settled).toEqual(new Set([job.id]))
  })

  test('that are handed back, tried again, rescued or retried by somebody wait until it ends', async () => {
    const jobs = await Promise.all(Array.from({ length: 3 }, () => queue.insert({ job_type: 'type_a', max_attempts: 5 })))
    const failed = await queue.insert({ job_type: 'type_a', status: 'error', completed_at: new Date() })
    const worker = await register()
    const claimed = await claim(worker)
    await pause({ type: 'type_a' })
    const endings = [decideOutcome({ kind: 'unstarted' }, 1, 0), decideOutcome({ kind: 'interrupted' }, 1, 0)].map((outcome, index) => ({
      id: claimed[index]?.id ?? '',
      run: 1,
      outcome,
    }))
    expect(await settleEndings(statements.connection, endings)).toHaveLength(2)
    await retryJob(queue.db, failed.id, 'all')
    await expire(worker)
    const next = await register()
    await markDeadWorkers(statements.connection, next)
    expect(await rescueJobs(statements.connection)).toHaveLength(1)
    expect(await claim(next)).toEqual([])
    await resume({ type: 'type_a' })
    expect(new Set(ids(await claim(next)))).toEqual(new Set([...ids(jobs), failed.id]))
  })
})

describe('a worker', () => {
  const definition = defineJob({ type: 'type_a', payload: z.any() })
  const add = async (collectionNodeId = here()) => (await enqueue(queue.db, definition, 1, { collectionNodeId })).id
  const completed = (id: string) => queue.event('job.completed', (event) => event.jobId === id)

  test.each<[string, () => PauseTarget]>([
    ['a type', () => ({ type: 'type_a' })],
    ['a collection', () => ({ collectionNodeId: here() })],
  ])('that sleeps is woken when %s goes on, long before it would poll, and takes its jobs in order', async (_what, target) => {
    await pause(target())
    await queue.startWorker([defineHandler(definition, async () => {})], { pollIntervalMs: 60_000, maxConcurrent: 1 })
    const waiting = [await add(), await add(), await add()]
    await queue.untilAsleep()
    expect(queue.named('job.started').filter((event) => waiting.includes(event.jobId))).toEqual([])
    await resume(target())
    await Promise.all(waiting.map(completed))
    expect(
      queue
        .named('job.started')
        .map((event) => event.jobId)
        .filter((id) => waiting.includes(id)),
    ).toEqual(waiting)
  })
})

describe('pauses', () => {
  const mine = () => ({ collectionNodeIds: [here(), randomUUID()] })

  test('are kept with who, why and since when; a second one changes nothing', async () => {
    const first = await pauseJobs(queue.db, { type: 'type_a' }, 'all', { by: 'Kari', reason: 'the model is being replaced' })
    expect(first).toEqual({
      type: 'type_a',
      collectionNodeId: null,
      by: 'Kari',
      reason: 'the model is being replaced',
      since: expect.any(Date),
    })
    expect(await pauseJobs(queue.pool, { type: 'type_a' }, 'all', { by: 'Ola' })).toEqual(first)
    const inside = await pauseJobs(queue.db, { type: 'type_a', collectionNodeId: here() }, mine())
    const whole = await pauseJobs(queue.db, { collectionNodeId: here() }, mine())
    const theirs = await pause({ collectionNodeId: other })
    expect(await listPauses(queue.db, 'all')).toEqual([first, inside, whole, theirs])
    expect(await listPauses(queue.db, mine())).toEqual([first, inside, whole])
    expect(await listPauses(queue.db, { collectionNodeIds: [] })).toEqual([first])
  })

  test('end one by one, and only if they are there', async () => {
    for (const target of [{ type: 'type_a' }, { type: 'type_a', collectionNodeId: here() }]) await pause(target)
    expect(await resume({ type: 'type_b' })).toBe(false)
    expect(await resume({ collectionNodeId: here() })).toBe(false)
    expect(await resume({ type: 'type_a' })).toBe(true)
    expect(await resume({ type: 'type_a' })).toBe(false)
    expect(await listPauses(queue.db, 'all')).toMatchObject([{ type: 'type_a', collectionNodeId: here() }])
  })

  test('are there exactly if their transaction commits', async () => {
    const trx = await queue.db.startTransaction().execute()
    await pauseJobs(trx, { type: 'type_a' }, 'all')
    await trx.rollback().execute()
    expect(await listPauses(queue.db, 'all')).toEqual([])
  })

  test('can be made and ended with SQL alone', async () => {
    await queue.pool.query(`select pause_jobs('type_a', paused_by => 'psql')`)
    expect(await listPauses(queue.db, 'all')).toMatchObject([{ type: 'type_a', collectionNodeId: null, by: 'psql', reason: null }])
    const { rows } = await queue.pool.query(`select resume_jobs('type_a') as first, resume_jobs('type_a') as second`)
    expect(rows).toEqual([{ first: true, second: false }])
    await expect(queue.pool.query('select pause_jobs()')).rejects.toMatchObject({ constraint: 'job_pauses_of_something' })
  })

  test.each<[string, () => PauseTarget]>([
    ['a whole type', () => ({ type: 'type_a' })],
    ["somebody else's collection", () => ({ collectionNodeId: other })],
    ["a type within somebody else's collection", () => ({ type: 'type_a', collectionNodeId: other })],
  ])('of %s are refused to whoever may only see some collections', async (_what, target) => {
    for (const act of [pauseJobs, resumeJobs]) {
      await expect(act(queue.db, target(), mine())).rejects.toMatchObject({ name: 'QueueError', code: 'PAUSE_OUT_OF_SCOPE' })
    }
    expect(await listPauses(queue.db, 'all')).toEqual([])
  })

  test.each([{}, undefined, { type: '' }, { type: 7 }, { type: 'a\0b' }, { type: 'x'.repeat(64) }, { collectionNodeId: 'x' }])(
    'of nothing that can be paused are refused: %j',
    async (target) => {
      for (const act of [pauseJobs, resumeJobs]) {
        await expect(act(queue.db, target as never, 'all')).rejects.toMatchObject({ kind: 'permanent', code: 'PAUSE_INVALID' })
      }
    },
  )

  test.each([{ by: '' }, { by: 'x'.repeat(201) }, { reason: 'x'.repeat(1_001) }, { reason: '\ud800' }, { by: 7 }])(
    'with a note that cannot be kept are refused: %#',
    async (note) => {
      await expect(pauseJobs(queue.db, { type: 'type_a' }, 'all', note as never)).rejects.toMatchObject({ code: 'PAUSE_INVALID' })
    },
  )

  test('always say whose jobs are meant', async () => {
    for (const act of [() => pauseJobs(queue.db, { type: 'type_a' }, undefined as never), () => listPauses(queue.db, {} as never)]) {
      await expect(act()).rejects.toMatchObject({ code: 'SCOPE_INVALID' })
    }
  })

  test('of a collection go with it', async () => {
    const node = await insertNode(queue.db)
    await pause({ collectionNodeId: node.id })
    await queue.pool.query('delete from nodes where id = $1', [node.id])
    expect(await listPauses(queue.db, 'all')).toEqual([])
  })
})
