import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AdoptOptions, migrate } from '../../src/admin/index.ts'
import { fingerprint } from './fingerprint.ts'
import { intercept } from './intercept.ts'
import { createLegacyDatabase, jobId, type LegacyDatabase, named } from './legacy-queue.ts'

let database: LegacyDatabase
let clients: pg.Client[]
beforeEach(async () => {
  clients = []
  database = await createLegacyDatabase('no-tenant')
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await Promise.all(clients.map((client) => client.end()))
  await database.drop()
})

describe('an old worker that may still be at work', () => {
  test('is known by its last statement, and named', async () => {
    const worker = await connect({ application_name: 'old-worker@heavy' })
    await worker.query(`select id from job_queue where status in ('pending', 'retry') for update skip locked limit 1`)
    await refused(/pid \d+ \(old-worker@heavy, role postgres, from local\) used the queue, quiet for \d+ s/)
    expect(await plan()).toMatchObject({ problems: [], connected: [{ application: 'old-worker@heavy', evidence: 'used the queue' }] })
  })

  test('is known by a lock, whatever it does now', async () => {
    const worker = await connect()
    await worker.query(`begin; select from job_queue for update; select 1`)
    await worker.query('select 1')
    await refused(/pid \d+ \(no application_name, role postgres, from local\) holds a lock/)
  })

  test('is known by a job that was started a moment ago', async () => {
    await database.query(`update job_queue set started_at = now() - interval '20 seconds' where id = $1`, [jobId(5)])
    await refused(/A job was started 2\d s ago and is running; after a minute it counts as left behind/)
  })

  test('is not anybody who is merely connected', async () => {
    const reader = await connect({ application_name: 'report' })
    await reader.query('select count(*) from pg_class')
    expect(await plan()).toMatchObject({ connected: [], startedMsAgo: null })
  })

  test('is not asked for with force', async () => {
    const worker = await connect()
    await worker.query('select count(*) from job_queue')
    expect((await adopt({ force: true })).applied).toContain('queue/adopt/0010_columns')
  })

  test('that keeps its lock makes us let go, and is named', async () => {
    const worker = await connect({ application_name: 'old-worker' })
    await worker.query('begin; select count(*) from job_queue')
    const before = await database.query('select * from job_queue order by id')
    // Neither the waiting nor the pauses between the attempts are what is tested.
    vi.stubGlobal('setTimeout', (fn: () => void) => setImmediate(fn))
    const adopting = database.withPool((pool) => {
      intercept(pool, async ({ text, values }) => {
        if (values[0] === 'lock_timeout') values[1] = '1ms'
        return text
      })
      return migrate(pool, { adopt: { collectionNodeId: named, force: true } })
    })
    await expect(adopting).rejects.toMatchObject({
      code: 'QUEUE_BUSY',
      message: expect.stringMatching(/could not be locked[\s\S]*\(old-worker, role postgres, from local\) holds a lock/),
    })
    await worker.query('rollback')
    expect(await database.query('select * from job_queue order by id')).toEqual(before)
  })
})

test('a host that never lets go of nodes keeps the queue from being finished, not from being ours', async () => {
  vi.stubGlobal('setTimeout', (fn: () => void) => setImmediate(fn))
  const host = await connect({ application_name: 'host' })
  await database.query('create table nodes (id uuid primary key, kind text, title text)')
  const adopting = database.withPool((pool) => {
    intercept(pool, async ({ text }) => {
      if (text.includes('add constraint job_queue_collection_node_id_fkey'))
        await host.query('begin; lock table nodes in row exclusive mode')
      return text.replace(`'200ms'`, `'1ms'`)
    })
    return migrate(pool, { adopt: { collectionNodeId: named } })
  })
  await expect(adopting).rejects.toMatchObject({
    code: 'QUEUE_BUSY',
    message: expect.stringContaining('The queue is adopted and works, but queue/adopt/0013_foreign_key is still to come'),
  })
  await host.query('rollback')
  expect((await database.withPool((pool) => migrate(pool))).applied).toEqual([
    'queue/adopt/0013_foreign_key',
    'queue/adopt/0014_foreign_key_valid',
    'queue/adopt/0015_payload_size_valid',
    'queue/adopt/0016_result_size_valid',
    'queue/adopt/0017_statistics',
  ])
})

describe('a role that is no superuser', () => {
  const role = `migrator_${randomUUID().slice(0, 8)}`
  const asRole = (options: AdoptOptions = {}) => {
    const url = new URL(database.connectionString)
    url.username = role
    url.password = 'x'
    return adopt(options, { connectionString: url.toString() })
  }
  beforeEach(async () => {
    await database.query(`
      create role ${role} login password 'x';
      alter schema public owner to ${role}; alter table job_queue owner to ${role}; alter type job_status owner to ${role}`)
  })
  afterEach(async () => {
    await database.query(`reassign owned by ${role} to postgres; drop owned by ${role}; drop role ${role}`)
  })

  test('cannot see what others do, says so, and adopts once it can', async () => {
    const other = await connect({ application_name: 'report' })
    await other.query('select 1')
    await expect(asRole()).rejects.toMatchObject({
      code: 'OLD_WORKER_CONNECTED',
      message: expect.stringMatching(/role postgres, from unknown\) cannot be seen\n- To see what those do: grant pg_read_all_stats/),
    })
    await database.query(`grant pg_read_all_stats to ${role}`)
    expect((await asRole()).applied).toContain('queue/adopt/0010_columns')
  })

  test.each([
    ['not-owner', 'alter table job_queue owner to postgres; grant all on job_queue to public', `alter table job_queue owner to ${role}`],
    ['status-not-owner', 'alter type job_status owner to postgres', `alter type job_status owner to ${role}`],
    [
      'nodes-rights',
      `create table nodes (id uuid primary key, kind text, title text, metadata jsonb not null default '{}'); grant select, insert on nodes to public`,
      `grant references on nodes to ${role}`,
    ],
    [
      'row-security',
      `alter table job_queue enable row level security, force row level security`,
      `alter table job_queue no force row level security`,
    ],
  ])('is told of %s before anything changes', async (rule, broken, cure) => {
    await database.query(broken)
    const before = await database.query(fingerprint)
    const { adoption } = await asRole({ dryRun: true })
    expect(adoption?.problems.map((problem) => problem.rule)).toEqual([rule])
    await expect(asRole()).rejects.toMatchObject({ code: 'ADOPTION_IMPOSSIBLE' })
    expect(await database.query(fingerprint)).toEqual(before)
    await database.query(cure)
    expect((await asRole()).applied).toContain('queue/adopt/0010_columns')
  })
})

async function plan() {
  return (await adopt({ dryRun: true })).adoption
}

async function refused(words: RegExp): Promise<void> {
  const before = await database.query(fingerprint)
  await expect(adopt()).rejects.toMatchObject({ code: 'OLD_WORKER_CONNECTED', message: expect.stringMatching(words) })
  expect(await database.query(fingerprint)).toEqual(before)
}

function adopt(options: AdoptOptions = {}, config: pg.PoolConfig = {}) {
  return database.withPool((pool) => migrate(pool, { adopt: { collectionNodeId: named, ...options } }), config)
}

async function connect(config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.connectionString, ...config })
  client.on('error', () => {})
  clients.push(client)
  await client.connect()
  return client
}
