import { enqueueByType } from '@sidelinja/jobs-core'
import { clearQueue, createTestDatabase, insertNode, type TestDatabase, waitForJob } from '@sidelinja/jobs-core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { spawnWorker as spawn, type WorkerProcess } from './spawn-worker.ts'
import { makeTcpDoor } from './tcp-door.ts'

let database: TestDatabase
let collectionNodeId: string
const running: WorkerProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
  collectionNodeId = (await insertNode(database.db)).id
})
afterEach(async () => {
  for (const worker of running.splice(0)) worker.child.kill('SIGKILL')
  await clearQueue(database)
})
afterAll(() => database.drop())

describe('start', () => {
  test('runs jobs, logs them without their payload, and ends with 0 on SIGTERM', async () => {
    const { id } = await enqueueByType(database.pool, 'greet', { name: 'a secret name' }, { collectionNodeId })
    const worker = spawnWorker(['start', '--types', 'greet', '--max-concurrent', '2'], { SIDELINJA_MAX_CONCURENT: '9' })
    expect(await worker.seen('worker.started')).toMatchObject({ build: 'test-build', level: 'info', types: ['greet'], max_concurrent: 2 })
    await waitForJob(database.db, id, { status: 'completed' })
    expect(await worker.seen('job.log')).toMatchObject({ job_id: id, job_type: 'greet', collection: collectionNodeId, msg: 'hello 13' })
    expect(await worker.seen('job.completed')).toMatchObject({ job_id: id, attempt: 1, run: 1 })
    expect(await worker.seen('setting.unknown')).toMatchObject({ msg: expect.stringContaining('SIDELINJA_MAX_CONCURRENT?') })
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    expect(worker.lines.at(-1)).toMatchObject({ event: 'worker.stopped' })
    expect(worker.output()).not.toContain('a secret name')
    expect(worker.errors()).toBe('')
    expect(await liveWorkers()).toBe(0)
  })

  test('as a superuser is warned about, and with --strict-roles refused with exit 2', async () => {
    const lax = spawnWorker(['start'], { SIDELINJA_STRICT_ROLES: 'false' })
    expect(await lax.seen('role.unbound')).toMatchObject({ level: 'warn', powers: ['superuser'] })
    lax.child.kill('SIGTERM')
    expect(await lax.exited).toBe(0)
    for (const [args, env] of [
      [['--strict-roles'], {}],
      [[], { SIDELINJA_STRICT_ROLES: 'true' }],
    ] as const) {
      const strict = spawnWorker(['start', ...args], env)
      expect(await strict.exited).toBe(2)
      expect(strict.errors()).toMatch(
        /^sidelinja-worker: The worker's role \S+ is a superuser or may become one: row-level security does not bind it\./,
      )
    }
    expect(await liveWorkers()).toBe(0)
  })

  test('hands a job that outlasts the drain back uncharged', async () => {
    const { id } = await enqueueByType(database.pool, 'wait', { obeys: true }, { collectionNodeId })
    const worker = spawnWorker(['--drain', '0s'])
    await worker.seen('job.log')
    worker.child.kill('SIGINT')
    expect(await worker.exited).toBe(0)
    expect(await waitForJob(database.db, id, { status: 'pending' })).toMatchObject({ attempts: 0, run: 1 })
  })

  test('a second signal ends the drain: what runs is handed back uncharged, exit 0', async () => {
    const { id } = await enqueueByType(database.pool, 'wait', { obeys: true }, { collectionNodeId })
    const worker = spawnWorker(['--drain', '10m'])
    await worker.seen('job.log')
    worker.child.kill('SIGTERM')
    await worker.seen('worker.draining')
    await signalUntil(worker, 'job.released')
    expect(await worker.exited).toBe(0)
    expect(await waitForJob(database.db, id, { status: 'pending' })).toMatchObject({ attempts: 0, run: 1 })
  })

  test('a third signal ends it at once, with 1', async () => {
    await enqueueByType(database.pool, 'wait', { obeys: false }, { collectionNodeId })
    const worker = spawnWorker(['--drain', '10m'])
    await worker.seen('job.log')
    worker.child.kill('SIGTERM')
    worker.child.kill('SIGTERM')
    await worker.seen('worker.draining')
    // Half a second has to pass before it is another signal and not an echo of the one before.
    await vi.waitFor(() => worker.child.kill('SIGTERM') && expect(worker.child.exitCode).not.toBeNull(), { timeout: 10_000, interval: 100 })
    expect(await worker.exited).toBe(1)
  })

  test('waits while the database is away, then works', async () => {
    const door = await makeTcpDoor(database.connectionString)
    const worker = spawnWorker(['--types', 'greet'], { DATABASE_URL: door.connectionString })
    expect(await worker.seen('database.lost')).toMatchObject({ level: 'error', error_code: 'ECONNREFUSED' })
    await door.open()
    await worker.seen('worker.started')
    const { id } = await enqueueByType(database.pool, 'greet', { name: 'x' }, { collectionNodeId })
    await waitForJob(database.db, id, { status: 'completed' })
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    door.close()
  })

  test.each(['read', 'not read'])('ends with 0 when it is stopped while it waits and its log is %s', async (log) => {
    const door = await makeTcpDoor(database.connectionString)
    const worker = spawnWorker(['--types', 'greet'], { DATABASE_URL: door.connectionString })
    await worker.seen('database.lost')
    if (log === 'not read') worker.child.stdout?.destroy()
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  })

  test('goes on when nobody reads its log any more, and still ends with 0', async () => {
    const worker = spawnWorker(['--types', 'greet'])
    await worker.seen('worker.started')
    worker.child.stdout?.destroy()
    const { id } = await enqueueByType(database.pool, 'greet', { name: 'x' }, { collectionNodeId })
    await waitForJob(database.db, id, { status: 'completed' })
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    expect(worker.errors()).toBe('')
  })

  test('a crash is one masked line and exit 1', async () => {
    await enqueueByType(database.pool, 'crash', {}, { collectionNodeId })
    const worker = spawnWorker(['--types', 'crash'])
    expect(await worker.exited).toBe(1)
    expect(worker.lines.at(-1)).toMatchObject({ event: 'crash', error: expect.stringContaining('out of hand') })
    expect(worker.output() + worker.errors()).not.toContain('hunter2')
  })
})

describe('what is wrong with the command line or the environment is one sentence and exit 2', () => {
  test.each([
    [['--max-concurent', '3'], {}, 'Did you mean --max-concurrent?'],
    [['--lease', 'long'], {}, '--lease must be a time'],
    [['--types', 'gret'], {}, 'The build test-build has no handler for the job type "gret". Did you mean greet?'],
    [[], { DATABASE_URL: '' }, 'DATABASE_URL is not set'],
    [[], { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [[], { WHISPER_DIALECT: 'whispercpp' }, 'WHISPER_DIALECT must be one of'],
    [[], { FORGEJO_URL: 'https://git.example.org' }, 'FORGEJO_TOKEN is not set, and FORGEJO_URL needs it.'],
    [
      [],
      { SPACETIMEDB_URL: 'http://spacetime:3000', SPACETIMEDB_TOKEN: 't' },
      'SPACETIMEDB_DATABASE is not set, and SPACETIMEDB_URL needs it.',
    ],
    [[], { WHISPER_API_KEY_FILE: '/nowhere/key' }, 'WHISPER_API_KEY_FILE names /nowhere/key, which cannot be read (ENOENT).'],
  ])('%j %j', async (args, env, words) => {
    const worker = spawnWorker(args, env)
    expect(await worker.exited).toBe(2)
    expect(worker.errors()).toContain(words)
    expect(worker.errors().trim().split('\n')).toHaveLength(1)
    expect(worker.output()).toBe('')
  })
})

test('--help names every setting and every exit code', async () => {
  const worker = spawnWorker(['--help'])
  expect(await worker.exited).toBe(0)
  expect(worker.output()).toMatchSnapshot()
})

/** A worker on this test's database unless `env` says otherwise. */
function spawnWorker(args: string[], env: Record<string, string> = {}): WorkerProcess {
  const worker = spawn(args, { DATABASE_URL: database.connectionString, ...env })
  running.push(worker)
  return worker
}

async function liveWorkers(): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as n from job_workers where dead_at is null')
  return rows[0].n
}

/** Sends SIGTERM again and again, because half a second must pass before it is another signal, until the worker says `event`. */
async function signalUntil(worker: WorkerProcess, event: string): Promise<void> {
  const again = setInterval(() => worker.child.kill('SIGTERM'), 600)
  await worker.seen(event).finally(() => clearInterval(again))
}
