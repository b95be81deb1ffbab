import { describe, expect, test } from 'vitest'
import { holdTransaction } from './support/hold-lock.ts'
import { useQueue } from './support/use-queue.ts'
import { useStatements } from './support/use-statements.ts'

const queue = useQueue()
const { register, claim, trip, expire } = useStatements(queue)
const ids = (jobs: readonly { id: string }[]) => jobs.map((job) => job.id)
const insertMany = (count: number, columns = `'test_job', '{}', 0, now()`) =>
  queue.pool.query(
    `insert into job_queue (collection_node_id, job_type, payload, priority, scheduled_for) select $1, ${columns} from generate_series(1, $2) n`,
    [queue.collectionNodeId, count],
  )

describe('a claim', () => {
  test('takes the highest priority first, then the earliest due, then the first enqueued', async () => {
    const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1_000)
    const normal2 = await queue.insert({ priority: 5, scheduled_for: at(1) })
    const low = await queue.insert({ priority: -5, scheduled_for: at(0) })
    const normal3 = await queue.insert({ priority: 5, scheduled_for: at(1) })
    const normal1 = await queue.insert({ priority: 5, scheduled_for: at(0) })
    const high = await queue.insert({ priority: 10, scheduled_for: at(9) })
    const retry = await queue.insert({ priority: 5, scheduled_for: at(2), status: 'retry', attempts: 1 })
    expect(ids(await claim(await register(), 10))).toEqual(ids([high, normal1, normal2, normal3, retry, low]))
  })

  test('tells times apart that differ by less than JavaScript can see', async () => {
    const { rows } = await queue.pool.query(
      `insert into job_queue (collection_node_id, job_type, payload, scheduled_for)
       select $1, 'test_job', '{}', now() - n * interval '1 microsecond' from generate_series(1, 5) n returning id`,
      [queue.collectionNodeId],
    )
    expect(ids(await claim(await register(), 5))).toEqual(ids(rows).reverse())
  })

  test('never takes what is not due, whatever its priority, and takes it as soon as it is', async () => {
    const worker = await register()
    const { id } = await queue.insert({ priority: 10, scheduled_for: new Date(Date.now() + 3_600_000) })
    expect(await claim(worker, 1)).toEqual([])
    const { rows } = await queue.pool.query(
      `update job_queue set scheduled_for = clock_timestamp() + interval '30 ms' where id = $1 returning scheduled_for::text as due`,
      [id],
    )
    // However many claims come before it is due: on a busy machine that may be none.
    let claimed = await claim(worker, 1)
    while (claimed.length === 0) claimed = await claim(worker, 1)
    expect(ids(claimed)).toEqual([id])
    const { rows: order } = await queue.pool.query('select started_at >= $2::timestamptz as in_time from job_queue where id = $1', [
      id,
      rows[0].due,
    ])
    expect(order).toEqual([{ in_time: true }])
  })

  test('counts the attempt and the run, and says who runs it since when', async () => {
    const { id } = await queue.insert({ status: 'retry', attempts: 2, run: 4, error_msg: 'before', progress: 0.5, progress_text: 'half' })
    const worker = await register()
    const [claimed] = await claim(worker, 1)
    expect(claimed).toMatchObject({ id, attempts: 3, run: 5, prefetched: false, payload: '{}', correlation_id: null })
    const job = await queue.job(id)
    expect(job).toMatchObject({
      status: 'running',
      attempts: 3,
      run: 5,
      worker_id: worker,
      ready: false,
      error_msg: 'before',
      progress: null,
    })
    expect(job.started_at).toBeInstanceOf(Date)
  })

  test('does not overflow attempts', async () => {
    const { id } = await queue.insert({ attempts: 32_766, max_attempts: 32_767 })
    const over = await queue.insert({ attempts: 32_767, max_attempts: 32_767 })
    await claim(await register(), 2)
    expect([(await queue.job(id)).attempts, (await queue.job(over.id)).attempts]).toEqual([32_767, 32_767])
  })

  test('leaves types this worker does not know untouched', async () => {
    const unknown = await queue.insert({ job_type: 'new_in_v2', priority: 10 })
    const known = await queue.insert()
    expect(ids(await claim(await register(), 5))).toEqual([known.id])
    expect(await queue.job(unknown.id)).toEqual(unknown)
  })

  test.each(['running', 'completed', 'error', 'cancelled'] as const)('leaves a %s job alone', async (status) => {
    const job = await queue.insert({ status })
    expect(await claim(await register(), 5)).toEqual([])
    expect(await queue.job(job.id)).toEqual(job)
  })

  test('lets go of a unique key that is held until claimed, and keeps one held until finished', async () => {
    const until = (unique_until: 'claimed' | 'finished') => queue.insert({ unique_key: unique_until, unique_until, unique_held: true })
    const [claimed, finished] = [await until('claimed'), await until('finished')]
    await claim(await register(), 2)
    expect([(await queue.job(claimed.id)).unique_held, (await queue.job(finished.id)).unique_held]).toEqual([false, true])
  })

  test('marks as prefetched what goes beyond the free slots', async () => {
    await insertMany(10)
    const { claimed, more } = await trip({ workerId: await register(), limit: 7, freeSlots: 3 })
    expect(claimed.map((job) => job.prefetched)).toEqual([false, false, false, true, true, true, true])
    expect(more).toBe(true)
    const { rows } = await queue.pool.query('select id from job_queue where prefetched order by sequence')
    expect(ids(rows)).toEqual(ids(claimed.slice(3)))
  })

  test('takes a job that was rescued before only straight into a free slot, and says that there is more', async () => {
    const rescued = await queue.insert({ priority: 9, rescues: 1 })
    const others = [await queue.insert(), await queue.insert()]
    const worker = await register()
    expect(ids((await trip({ workerId: worker, limit: 2, freeSlots: 0 })).claimed)).toEqual([others[0]?.id])
    expect(await trip({ workerId: worker, limit: 1, freeSlots: 0 })).toMatchObject({ claimed: [], more: true })
    expect(ids(await claim(worker, 1))).toEqual([rescued.id])
  })

  test('takes a job with its last attempt before it only straight into a free slot: it must not lose it without a run', async () => {
    const last = await queue.insert({ priority: 9, max_attempts: 1 })
    const worker = await register()
    expect(await trip({ workerId: worker, limit: 1, freeSlots: 0 })).toMatchObject({ claimed: [], more: true })
    expect(ids(await claim(worker, 1))).toEqual([last.id])
  })

  test('takes nothing for a worker that is dead, expired or unknown', async () => {
    const { id } = await queue.insert()
    const [dead, expired] = [await register(), await register()]
    await queue.pool.query('update job_workers set dead_at = now() where id = $1', [dead])
    await expire(expired)
    for (const workerId of [dead, expired, '01900000-0000-7000-8000-000000000000']) {
      expect(await trip({ workerId, limit: 5, freeSlots: 5 })).toMatchObject({ alive: false, claimed: [] })
    }
    expect((await queue.job(id)).status).toBe('pending')
  })

  test('goes round a row that somebody has locked', async () => {
    const locked = await queue.insert({ priority: 9 })
    const free = await queue.insert()
    const open = await holdTransaction(queue.pool, 'select from job_queue where id = $1 for update', [locked.id])
    expect(ids(await claim(await register(), 5))).toEqual([free.id])
    await open.rollback()
  })

  test('a row claimed and changed between snapshot and lock is claimed once, as it is now', async () => {
    const { id } = await queue.insert()
    const open = await holdTransaction(queue.pool, `update job_queue set payload = '{"edited": true}' where id = $1`, [id])
    const worker = await register()
    expect(await claim(worker, 1)).toEqual([])
    await open.commit()
    expect(await claim(worker, 1)).toMatchObject([{ id, payload: '{"edited": true}' }])
  })
})

describe('many claims at once', () => {
  test('ten connections share 5,000 rows, each row once', async () => {
    await insertMany(5_000)
    const all: string[] = []
    const drain = async () => {
      const worker = await register()
      for (;;) {
        const claimed = await claim(worker, 37)
        all.push(...ids(claimed))
        if (claimed.length === 0) return
      }
    }
    await Promise.all(Array.from({ length: 10 }, drain))
    expect(all).toHaveLength(5_000)
    expect(new Set(all).size).toBe(5_000)
    const { rows } = await queue.pool.query('select status, run, attempts, count(*)::int from job_queue group by 1, 2, 3')
    expect(rows).toEqual([{ status: 'running', run: 1, attempts: 1, count: 5_000 }])
  })

  test('settling and claiming at once on ten connections neither deadlocks nor settles twice', async () => {
    await insertMany(2_000)
    let settled = 0
    const work = async () => {
      const workerId = await register()
      let completed: { id: string; run: number; resultJson: null; mayHaveSteps: boolean }[] = []
      do {
        const done = await trip({ workerId, completed, limit: 23, freeSlots: 23 })
        settled += done.settled.size
        completed = done.claimed.map((job) => ({ id: job.id, run: job.run, resultJson: null, mayHaveSteps: true }))
      } while (completed.length > 0)
    }
    await Promise.all(Array.from({ length: 10 }, work))
    expect(settled).toBe(2_000)
    const { rows } = await queue.pool.query('select status, run, count(*)::int from job_queue group by 1, 2')
    expect(rows).toEqual([{ status: 'completed', run: 1, count: 2_000 }])
  })
})
