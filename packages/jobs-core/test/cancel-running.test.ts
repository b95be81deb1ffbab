import { randomUUID } from 'node:crypto'
import { setTimeout as work } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cancelJob } from '../src/admin/index.ts'
import { createConnectGate } from '../src/database/connect-gate.ts'
import { createPooling } from '../src/database/pooling.ts'
import { defineJob, enqueue, enqueueMany } from '../src/index.ts'
import { waitForJob } from '../src/testing/index.ts'
import { defineHandler, type WorkerEvent } from '../src/worker/index.ts'
import { startWakeUp } from '../src/worker/wake-up.ts'
import { deferred } from './support/deferred.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'a_job', payload: z.any() })
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const obeys = defineHandler(definition, ({ signal }) => untilAborted(signal))
const add = async () => (await enqueue(queue.db, definition, 1, { collectionNodeId: queue.collectionNodeId })).id
const started = (id: string) => queue.event('job.started', (event) => event.jobId === id)
/** So long that a test which waits for it does not end in time. */
const pollIntervalMs = 60_000

describe('whoever cancels', () => {
  test('a running job notifies the workers once it has committed; of a waiting one they learn nothing', async () => {
    const heard: string[] = []
    const listener = await queue.pool.connect()
    listener.on('notification', ({ channel }) => heard.push(channel))
    await listener.query('listen job_queue_cancel')
    const [running, waiting] = [await queue.insert({ status: 'running' }), await queue.insert()]
    const trx = await queue.db.startTransaction().execute()
    await cancelJob(trx, running.id, 'all')
    await listener.query('select')
    expect(heard).toEqual([])
    await trx.commit().execute()
    await cancelJob(queue.db, waiting.id, 'all')
    await listener.query('select')
    expect(heard).toEqual(['job_queue_cancel'])
    await listener.query('unlisten *')
    listener.release()
  })

  test('wakes the look for cancels, and not the look for jobs', async () => {
    const [listening, heard] = [deferred(), deferred()]
    let woken = 0
    const wake = () => {
      woken++
      listening.resolve()
    }
    const runtime = {
      ...{ settings: { connection: { connectionString: queue.connectionString } }, session: { id: randomUUID() }, emit: () => {} },
      ...{ gate: createConnectGate(), pooling: createPooling({}, { given: 'session' }), queue: { run: async () => [] } },
    }
    const wakeUp = startWakeUp(runtime as never, { wake, lookForCancels: heard.resolve, lookAtServices: () => {} })
    await listening.promise
    const { id } = await queue.insert({ status: 'running' })
    await cancelJob(queue.db, id, 'all')
    await heard.promise
    expect(woken).toBe(1)
    await wakeUp.stop()
  })

  test('by hand, without a notification, is heard all the same, long before the next poll', async () => {
    await queue.startWorker([obeys], { pollIntervalMs })
    const id = await add()
    await started(id)
    await queue.pool.query('update job_queue set cancel_requested_at = now() where id = $1', [id])
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'cancelled' })
  })
})

describe('a cancel while the claim is under way', () => {
  afterEach(() => queue.pool.query('drop trigger if exists hold_claim on job_queue; drop function if exists hold_claim'))

  /** A worker's claim stays in its transaction, with the job's row locked, until the returned function is called. */
  async function holdClaims(): Promise<{ reached: () => Promise<void>; letGo: () => Promise<void> }> {
    const holder = await queue.pool.connect()
    await holder.query('select pg_advisory_lock(6)')
    await holder.query(`
      create function hold_claim() returns trigger language plpgsql as $$
      begin
        while not pg_try_advisory_xact_lock_shared(6) loop perform pg_sleep(0.005); end loop;
        return new;
      end $$;
      create trigger hold_claim before update on job_queue for each row
        when (new.status = 'running' and old.status <> 'running') execute function hold_claim()`)
    const held = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    return {
      async reached() {
        while ((await queue.pool.query(held)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      },
      async letGo() {
        await holder.query('select pg_advisory_unlock(6)')
        holder.release()
      },
    }
  }

  test.each(['cancelled', 'completed'] as const)('is a request once the claim has committed; the job ends %s', async (status) => {
    const claim = await holdClaims()
    const answered = deferred()
    const run = (signal: AbortSignal) => (status === 'cancelled' ? untilAborted(signal) : answered.promise)
    await queue.startWorker([defineHandler(definition, ({ signal }) => run(signal))], { pollIntervalMs })
    const id = await add()
    await claim.reached()
    const cancelling = cancelJob(queue.db, id, 'all')
    await queue.pool.query('select')
    await claim.letGo()
    expect(await cancelling).toBe('requested')
    answered.resolve()
    expect(await waitForJob(queue.db, id)).toMatchObject({ status, run: 1, cancel_requested_at: null })
  })

  test('says that the job is locked if the claim takes longer than two seconds', async () => {
    const claim = await holdClaims()
    await queue.startWorker([obeys], { pollIntervalMs })
    const id = await add()
    await claim.reached()
    await expect(cancelJob(queue.db, id, 'all')).rejects.toMatchObject({ name: 'JobStateError', code: 'JOB_LOCKED' })
    await claim.letGo()
    await started(id)
    expect(await cancelJob(queue.db, id, 'all')).toBe('requested')
    expect((await waitForJob(queue.db, id)).status).toBe('cancelled')
  })
})

describe('300 jobs on three workers, cancelled at random moments', () => {
  const seed = Number(process.pid)
  test(`end in exactly one way each, which the answer fits (seed ${seed})`, async () => {
    const random = generator(seed)
    const obeyed = new Set<string>()
    const handler = defineHandler(definition, async ({ signal, job }) => {
      await work(longRunning.has(job.id) ? 10_000 : random() * 60, undefined, { signal }).catch((error) => {
        obeyed.add(job.id)
        throw error
      })
    })
    const longRunning = new Set<string>()
    const jobs = await enqueueMany(queue.db, definition, Array(300).fill({ payload: 1 }), { collectionNodeId: queue.collectionNodeId })
    const answers = new Map<string, Promise<string>>()
    const begun = new Set<string>()
    let progress = 0
    /** Half of the jobs are cancelled as they start, the others when so many have started or were cancelled before. */
    const moments = jobs.map(({ id }) => ({ id, at: random() < 0.5 ? 'start' : Math.floor(random() * 300) }))
    // However slow the machine is, some are still there when they are told.
    for (const { id } of moments.filter(({ at }) => at === 'start').slice(0, 5)) longRunning.add(id)
    const cancel = (id: string) => {
      if (answers.has(id)) return
      const answer = cancelJob(queue.db, id, 'all').catch((error) => error.code as string)
      answers.set(id, answer)
      answer.then((said) => said === 'cancelled' && advance())
    }
    const advance = () => {
      progress++
      for (const { id, at } of moments) if (typeof at === 'number' && at < progress) cancel(id)
    }
    const onEvent = (event: WorkerEvent) => {
      if (event.name !== 'job.started') return
      begun.add(event.jobId)
      advance()
      if (moments.some(({ id, at }) => id === event.jobId && at === 'start')) cancel(event.jobId)
    }
    for (let n = 0; n < 3; n++) await queue.startWorker([handler], { onEvent })
    const ended = await Promise.all(jobs.map(({ id }) => waitForJob(queue.db, id, { timeoutMs: 30_000 })))

    const ways = ended.map((job) => {
      if (job.status === 'completed') return obeyed.has(job.id) ? 'completed though it obeyed' : 'completed'
      if (job.status === 'cancelled' && !begun.has(job.id)) return 'never started'
      return job.status === 'cancelled' && obeyed.has(job.id) ? 'obeyed' : `${job.status}, and neither`
    })
    const fitting: Record<string, string[]> = {
      cancelled: ['never started'],
      requested: ['completed', 'obeyed', 'never started'],
      JOB_NOT_CANCELLABLE: ['completed'],
      // Its row was held for two seconds, as it can be on a machine that has much else to do.
      JOB_LOCKED: ['completed'],
      none: ['completed'],
    }
    const said = await Promise.all(jobs.map(async ({ id }) => (await answers.get(id)) ?? 'none'))
    expect(ways.filter((way, index) => !fitting[said[index] ?? '']?.includes(way))).toEqual([])
    expect(new Set(ways)).toEqual(new Set(['completed', 'never started', 'obeyed']))
    expect(ended.every((job) => job.attempts <= 1 && job.cancel_requested_at === null)).toBe(true)
  }, 60_000)
})

/** A small generator of numbers from 0 to 1 that a seed repeats (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
