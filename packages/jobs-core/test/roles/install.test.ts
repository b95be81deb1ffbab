import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { migrate, queueMigrations, roleMigrations } from '../../src/admin/index.ts'
import { defineJob, enqueue } from '../../src/index.ts'
import {
  createTestDatabase,
  type EmbeddedPostgres,
  insertNode,
  startEmbeddedPostgres,
  type TestDatabase,
  waitForJob,
} from '../../src/testing/index.ts'
import { createWorker, defineHandler, type WorkerEvent } from '../../src/worker/index.ts'
import { holdTransaction } from '../support/hold-lock.ts'

// On a server of its own: other test files have the roles already, and they belong to the whole server.
const sources = [queueMigrations, roleMigrations]
const definition = defineJob({ type: 'a_job', payload: z.any() })
let server: EmbeddedPostgres
beforeAll(async () => {
  server = await startEmbeddedPostgres()
})
afterAll(() => server.stop())

/** A database that belongs to a login of its own, and a pool of that login. */
async function databaseOf(
  owner: string,
  attributes = '',
): Promise<{ database: TestDatabase; pool: pg.Pool; connectionString: string; end(): Promise<void> }> {
  const database = await createTestDatabase({ connectionString: server.connectionString() })
  await database.query(`create role ${owner} login ${attributes}`)
  await database.query(`alter database ${new URL(database.connectionString).pathname.slice(1)} owner to ${owner}`)
  const connectionString = Object.assign(new URL(database.connectionString), { username: owner }).toString()
  const pool = new pg.Pool({ connectionString })
  pool.on('error', () => {})
  const end = async () => {
    await pool.end()
    await database.drop()
  }
  return { database, pool, connectionString, end }
}

describe('migrate with roles', () => {
  test('of several databases at once is done in all: roles are the server’s', async () => {
    const databases = await Promise.all(
      Array.from({ length: 6 }, () => createTestDatabase({ connectionString: server.connectionString() })),
    )
    for (const { pool } of databases) await migrate(pool)
    await Promise.all(databases.map(({ pool }) => migrate(pool, { sources })))
    for (const { pool } of databases) expect((await migrate(pool, { sources })).applied).toEqual([])
    await Promise.all(databases.map((database) => database.drop()))
    const other = await createTestDatabase({ connectionString: server.connectionString() })
    await other.query('drop role queue_worker, queue_enqueue, queue_web, queue_backup, queue_metrics, queue_migrator, queue_owner')
    await other.drop()
  })

  test('needs no superuser, only somebody who may create roles and owns the tables', async () => {
    const { database, pool, end } = await databaseOf('maker', 'createrole')
    await migrate(pool)
    await migrate(pool, { sources })
    // Whoever owned the queue goes on; row-level security binds others.
    const { rows } = await pool.query('select rolname from pg_roles where rolname = $1 and not rolbypassrls', ['queue_backup'])
    expect(rows).toHaveLength(1)
    const collectionNodeId = (await insertNode(database.db)).id
    await enqueue(pool, definition, 1, { collectionNodeId })
    expect((await pool.query('select from job_queue')).rowCount).toBe(1)
    await end()
    const other = await createTestDatabase({ connectionString: server.connectionString() })
    await other.query('drop role queue_worker, queue_enqueue, queue_web, queue_backup, queue_metrics, queue_migrator, queue_owner, maker')
    await other.drop()
  })

  test('by a login that may not create roles says what somebody else has to run; then it goes', async () => {
    const { database, pool, end } = await databaseOf('app')
    await migrate(pool)
    const error = await migrate(pool, { sources }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'MIGRATION_FORBIDDEN', kind: 'configuration' })
    expect(error.message).toContain('the role app may not create roles')
    const advice = /Let a superuser run, in any database: (.*); and then/.exec(error.message)?.[1] ?? ''
    await database.query(advice)
    expect((await migrate(pool, { sources })).applied).toContain('roles/0001_group_roles')
    const { rows } = await database.query(
      `select rolname, rolcanlogin, rolsuper, rolbypassrls from pg_roles where rolname ~ '^queue_' order by 1`,
    )
    expect(rows.map(({ rolname }) => rolname)).toEqual([
      'queue_backup',
      'queue_enqueue',
      'queue_metrics',
      'queue_migrator',
      'queue_owner',
      'queue_web',
      'queue_worker',
    ])
    expect(rows.filter((row) => row.rolcanlogin || row.rolsuper || row.rolbypassrls !== (row.rolname === 'queue_backup'))).toEqual([])
    await end()
  })

  test('uses roles that are there already, once per database', async () => {
    for (const _ of [1, 2]) {
      const database = await createTestDatabase({ connectionString: server.connectionString() })
      await migrate(database.pool, { sources })
      expect(await migrate(database.pool, { sources })).toEqual({ applied: [] })
      await database.drop()
    }
  })

  test('refuses group roles that row-level security does not hold for', async () => {
    const database = await createTestDatabase({ connectionString: server.connectionString() })
    await database.query('alter role queue_worker bypassrls')
    await expect(migrate(database.pool, { sources })).rejects.toMatchObject({
      code: 'MIGRATION_FORBIDDEN',
      message: expect.stringContaining('alter role queue_worker nosuperuser nobypassrls'),
    })
    await database.query('alter role queue_worker nobypassrls')
    await database.drop()
  })

  test('names the roles from which row-level security would hide the rows', async () => {
    const database = await createTestDatabase({ connectionString: server.connectionString() })
    await migrate(database.pool)
    await database.query('create role old_worker login; grant select, update on job_queue to old_worker')
    await expect(migrate(database.pool, { sources })).rejects.toMatchObject({
      code: 'MIGRATION_FORBIDDEN',
      message: expect.stringMatching(/would hide the rows of job_queue from old_worker.*grant queue_worker to old_worker/),
    })
    await database.query('grant queue_worker to old_worker')
    await migrate(database.pool, { sources })
    await database.drop()
  })

  test('needs no downtime: a worker of the owner goes on claiming, before, during and after', async () => {
    const { database, pool, connectionString, end } = await databaseOf('live', 'createrole')
    await migrate(pool)
    const collectionNodeId = (await insertNode(database.db)).id
    const events: WorkerEvent[] = []
    const worker = createWorker({
      connection: connectionString,
      handlers: [defineHandler(definition, async () => ({ write: async () => {} }))],
      onEvent: (event) => events.push(event),
    })
    await worker.start()
    let going = true
    let jobs = 0
    const load = (async () => {
      for (; going; jobs++) {
        const { id } = await enqueue(pool, definition, 1, { collectionNodeId })
        await waitForJob(database.db, id)
      }
    })()
    await expect.poll(() => jobs, { timeout: 20_000 }).toBeGreaterThan(3)
    // A reader in the way: the migration lets go of the lock it waits for, and tries again.
    const reader = await holdTransaction(database.pool, 'select from job_queue limit 1')
    const migrated = database.query('grant queue_owner to live').then(() => migrate(pool, { sources }))
    const before = jobs
    await expect.poll(() => jobs, { timeout: 20_000 }).toBeGreaterThan(before + 3)
    await reader.commit()
    await migrated
    const after = jobs
    await expect.poll(() => jobs, { timeout: 20_000 }).toBeGreaterThan(after + 3)
    going = false
    await load
    await worker.stop()
    expect(events.filter(({ name }) => ['job.failed', 'lease.lost', 'job.gone'].includes(name))).toEqual([])
    expect(events.find(({ name }) => name === 'role.unbound')).toEqual({ name: 'role.unbound', role: 'live', powers: ['owner'] })
    await end()
  })

  test('lets a member of queue_migrator do the next ones', async () => {
    const database = await createTestDatabase({ connectionString: server.connectionString() })
    await migrate(database.pool, { sources })
    await database.query('create role deploy login in role queue_migrator')
    const pool = new pg.Pool({ connectionString: Object.assign(new URL(database.connectionString), { username: 'deploy' }).toString() })
    expect(await migrate(pool, { sources })).toEqual({ applied: [] })
    await pool.query(`
      create table mine (collection_node_id uuid not null references nodes (id) on delete cascade);
      select secure_handler_table('mine');
      alter table job_queue add column later text`)
    const { rows } = await database.query(
      `select relowner::regrole::text as owner, relforcerowsecurity as forced from pg_class where oid = 'mine'::regclass`,
    )
    expect(rows).toEqual([{ owner: 'queue_owner', forced: true }])
    await pool.end()
    await database.drop()
  })
})

describe('a worker whose role row-level security does not bind', () => {
  test.each([
    ['a superuser', 'postgres', ['superuser']],
    ['BYPASSRLS', 'bypasser', ['bypassrls']],
    ['the owner', 'owning', ['owner']],
    ['whoever may become a superuser', 'turning_super', ['superuser']],
    ['whoever may become one with BYPASSRLS', 'turning_free', ['bypassrls']],
    ['whoever may become the owner', 'turning_owner', ['owner']],
  ])('starts and says so once: %s; strictly, it does not', async (_name, username, powers) => {
    const database = await createTestDatabase({ connectionString: server.connectionString() })
    await migrate(database.pool, { sources })
    await database.query(`do $$ begin create role bypasser login bypassrls in role queue_worker; create role owning login in role queue_owner;
      create role turning_super login in role queue_worker; grant postgres to turning_super with inherit false;
      create role turning_free login in role queue_worker, bypasser;
      create role turning_owner login in role queue_worker; grant queue_owner to turning_owner with inherit false;
      exception when duplicate_object then null; end $$`)
    const events: WorkerEvent[] = []
    const connection = Object.assign(new URL(database.connectionString), { username }).toString()
    const options = {
      connection,
      handlers: [defineHandler(definition, async () => {})],
      onEvent: (event: WorkerEvent) => void events.push(event),
      leaseMs: 1_000,
    }
    const worker = createWorker(options)
    await worker.start()
    // A second session of the same worker does not say it again.
    await database.query('update job_workers set dead_at = clock_timestamp()')
    await expect.poll(() => events.filter(({ name }) => name === 'worker.started').length, { timeout: 20_000 }).toBe(2)
    await worker.stop()
    expect(events.filter(({ name }) => name === 'role.unbound')).toEqual([{ name: 'role.unbound', role: username, powers }])
    await expect(createWorker({ ...options, strictRoles: true }).start()).rejects.toMatchObject({
      code: 'ROLE_UNBOUND',
      kind: 'configuration',
      message: expect.stringContaining(username),
    })
    await database.drop()
  })
})
