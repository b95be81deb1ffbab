import { AssertionError } from 'node:assert'
import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import type { QueueDatabase } from '../../src/admin/index.ts'
import type { Queryable } from '../../src/index.ts'
import { insertJob, insertWorker, waitForJob } from '../../src/testing/index.ts'
import { hasTestSignal } from '../../src/testing/server/test-signal.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const complete = (id: string) => queue.pool.query(`update job_queue set status = 'completed', completed_at = now() where id = $1`, [id])
/** By the last statement of a connection that listens, whole: a part of it would stand in this query too, and name the pool's connections. */
const listeners = async () =>
  (
    await queue.pool.query(`select pid from pg_stat_activity where datname = current_database() and state = 'idle' and query = $1`, [
      hasTestSignal,
    ])
  ).rows
async function untilSomebodyListens() {
  while ((await listeners()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

function openPool(max = 10): pg.Pool {
  const pool = new pg.Pool({ connectionString: queue.connectionString, max })
  // Also of those that are taken out when they break.
  pool.on('connect', (client) => client.on('error', () => {}))
  closing.push(() => pool.end())
  return pool
}

/** The pool's queries are counted, and so it is known whether anybody polls. */
function counted(pool: pg.Pool): { db: Queryable; looks: () => number } {
  let looks = 0
  const query = (text: string, values?: unknown[]) => {
    looks++
    return pool.query(text, values)
  }
  return { db: Object.assign({ query }, { pool }), looks: () => looks }
}

const breakConnection = 'select pg_terminate_backend(pg_backend_pid())'

/** The connections of those looks break while they are read through. */
function breaking<Db extends pg.Pool | pg.ClientBase>(db: Db, breaks: (look: number) => boolean | Promise<boolean>): Db {
  let look = 0
  const query = async (text: string, values?: unknown[]) => ((await breaks(++look)) ? db.query(breakConnection) : db.query(text, values))
  return Object.assign(Object.create(db), { query })
}

describe('waitForJob', () => {
  test('is woken by the change, and does not look again and again until then', async () => {
    const { id } = await insertJob(queue.pool)
    const { db, looks } = counted(queue.pool)
    const waiting = waitForJob(db, id)
    await untilSomebodyListens()
    await queue.pool.query('select pg_sleep(0.4)')
    expect(looks()).toBeLessThanOrEqual(2)
    await complete(id)
    expect((await waiting).status).toBe('completed')
    expect(looks()).toBeLessThanOrEqual(4)
    expect(await listeners()).toEqual([])
  })

  test.each([
    ['a Kysely of createTestDatabase', () => queue.db],
    ['a pool of one, which stays free', () => openPool(1)],
  ])('is woken with %s', async (_what, open) => {
    const { id } = await insertJob(queue.pool)
    const db = open()
    const waiting = waitForJob(db, id, { status: ['error', 'completed'] })
    await untilSomebodyListens()
    await ('query' in db ? db.query('select') : queue.pool.query('select'))
    await complete(id)
    expect((await waiting).id).toBe(id)
  })

  test('goes on when the connection it listens on breaks', async () => {
    const { id } = await insertJob(queue.pool)
    const { db, looks } = counted(queue.pool)
    const waiting = waitForJob(db, id)
    await untilSomebodyListens()
    for (const { pid } of await listeners()) await queue.pool.query('select pg_terminate_backend($1)', [pid])
    const before = looks()
    while (looks() < before + 5) await new Promise((resolve) => setTimeout(resolve, 5))
    await complete(id)
    expect((await waiting).status).toBe('completed')
  })

  test.each([1, 2])('looks again when the connection of look %i breaks', async (broken) => {
    const { id } = await insertJob(queue.pool)
    const pool = breaking(openPool(), async (look) => {
      if (look === broken) await complete(id)
      return look === broken
    })
    const { db, looks } = counted(pool)
    expect((await waitForJob(db, id)).status).toBe('completed')
    expect(looks()).toBe(broken + 1)
  })

  test('polls on a single client, on a Kysely made elsewhere, and where the test trigger is not', async () => {
    const client = new pg.Client({ connectionString: queue.connectionString })
    await client.connect()
    const elsewhere = new Kysely<{ anything: { id: string } }>({
      dialect: new PostgresDialect({ pool: openPool() }),
      plugins: [new CamelCasePlugin()],
    })
    await queue.pool.query('alter table job_queue disable trigger job_queue_test_signal')
    try {
      for (const db of [client, elsewhere, queue.pool]) {
        const { id } = await insertJob(queue.pool)
        const waiting = waitForJob(db, id)
        await complete(id)
        // Under the names the table has, whatever plugins are used.
        expect(await waiting).toMatchObject({ id, job_type: 'test_job', max_attempts: 3 })
      }
    } finally {
      await queue.pool.query('alter table job_queue enable trigger job_queue_test_signal')
      await client.end()
    }
  })

  test('gives a job that is there at once, from inside a transaction too', async () => {
    await queue.db.transaction().execute(async (trx) => {
      const { id } = await insertJob(trx, { status: 'cancelled' })
      expect((await waitForJob(trx, id)).id).toBe(id)
    })
  })
})

describe('waitForJob fails', () => {
  test.each<[string, object]>([
    ['a time that is none', { timeoutMs: Number.NaN }],
    ['a status that is none', { status: 'done' }],
    ['no status at all', { status: [] }],
    ['an option it does not have', { timeout: 5 }],
  ])('at once with %s', async (_name, options) => {
    const { id } = await insertJob(queue.db)
    await expect(waitForJob(queue.db, id, options)).rejects.toMatchObject({ code: 'TEST_OPTION_INVALID' })
  })

  test('at once with an id that is none', async () => {
    await expect(waitForJob(queue.db, 'no-uuid')).rejects.toMatchObject({ code: 'TEST_OPTION_INVALID' })
  })

  const failure = (id: string, options: Parameters<typeof waitForJob>[2] = { timeoutMs: 30 }, db: Queryable = queue.db) =>
    waitForJob(db, id, options).then(
      () => expect.unreachable(),
      (error) => error,
    )

  test('with what the job waits for', async () => {
    const due = await insertJob(queue.db, { job_type: 'send_mail' })
    expect((await failure(due.id)).message).toBe(
      `Job ${due.id} was not completed or error or cancelled after 30 ms: pending (attempt 0/3)\n` +
        '  No worker has its type, send_mail. Start one, or call drain(db, …).',
    )
    await insertWorker(queue.db, { types: ['send_mail'] })
    expect((await failure(due.id)).message).toMatch(
      /pending \(attempt 0\/3\)\n {2}Nothing keeps it: it will be taken at the next poll of a worker\.$/,
    )
    const later = await insertJob(queue.db, { scheduled_for: new Date(Date.now() + 3_600_000) })
    expect((await failure(later.id)).message).toMatch(/It is due in 60 min, at 2\d{3}-.*Z\. travel\(db, …\) moves it there\./)
    const { id: worker_id } = await insertWorker(queue.db, { host: 'box', pid: 7 })
    const running = await insertJob(queue.db, { status: 'running', worker_id })
    expect((await failure(running.id)).message).toMatch(
      /running \(attempt 1\/3\)\n {2}It has been running on box, process 7, for (less than a second|\d+ s)\.$/,
    )
  })

  test("with the job's history", async () => {
    const { id } = await insertJob(queue.db, { status: 'retry', attempts: 1, run: 2, error_msg: 'the disk is full' })
    const { message } = await failure(id)
    expect(message).toContain(
      'retry (attempt 1/3, the disk is full)\n  run 1, attempt 1: interrupted\n  run 2, attempt 1: failed, the disk is full\n',
    )
  })

  test('at once when the job has ended otherwise', async () => {
    const { id } = await insertJob(queue.db, { status: 'error', attempts: 1, error_msg: 'no such address' })
    const error = await failure(id, { status: 'completed', timeoutMs: 600_000 })
    expect(error).toBeInstanceOf(AssertionError)
    expect(error).toMatchObject({ actual: 'error', expected: 'completed', operator: 'waitForJob' })
    expect(error.message).toMatch(/^Job .* has ended and will not be completed: error \(attempt 1\/3, no such address\)/)
  })

  test('when there is no such job', async () => {
    const error = await failure('01900000-0000-7000-8000-000000000000')
    expect(error.message).toMatch(/after 30 ms: no such job\n {2}Was it enqueued in a transaction that is not committed/)
  })

  test('with what the database says when no connection lasts until the time is over', async () => {
    const { id } = await insertJob(queue.pool)
    const pool = breaking(openPool(), () => true)
    expect(await failure(id, { timeoutMs: 100 }, pool)).toMatchObject({ code: '57P01' })
  })

  test('at once when its only connection breaks, a client or that of a transaction', async () => {
    const { id } = await insertJob(queue.pool)
    const options = { timeoutMs: 600_000 }
    const client = await openPool().connect()
    expect(
      await failure(
        id,
        options,
        breaking(client, (look) => look > 1),
      ),
    ).toMatchObject({ code: '57P01' })
    client.release(true)
    let inTransaction: unknown
    const transaction = new Kysely<QueueDatabase>({ dialect: new PostgresDialect({ pool: openPool() }) }).transaction()
    const ended = transaction.execute(async (trx) => {
      let look = 0
      const executeQuery: typeof trx.executeQuery = (query) => trx.executeQuery(++look > 1 ? CompiledQuery.raw(breakConnection) : query)
      inTransaction = await failure(id, options, { executeQuery, isTransaction: true } as Queryable)
    })
    await expect(ended).rejects.toThrow(/connection/i)
    expect(inTransaction).toMatchObject({ code: '57P01' })
  })

  test('without hiding what the database says', async () => {
    const none = new Kysely<QueueDatabase>({ dialect: new PostgresDialect({ pool: new pg.Pool({ host: '/nowhere' }) }) })
    await expect(waitForJob(none, '01900000-0000-7000-8000-000000000000')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
