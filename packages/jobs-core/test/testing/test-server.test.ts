import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { migrationStatus } from '../../src/admin/index.ts'
import { defineJob, enqueue } from '../../src/index.ts'
import { createTestDatabase, inDatabase, insertNode, type OpenDatabase, startTestServer } from '../../src/testing/index.ts'

const { connectionString } = inject('server')
const admin = new pg.Pool({ connectionString, max: 1 })
const databases = async (name: string) =>
  (await admin.query('select datname from pg_database where starts_with(datname, $1)', [name])).rows.map((row) => row.datname)
afterAll(() => admin.end())

describe('a test server', () => {
  test('that is given: each copy has the own tables and the queue, apart from the others; nothing is left', async () => {
    const running = await startTestServer({
      connectionString,
      migrate: ({ query }) => query(`create table episodes (title text); insert into episodes values ('The first')`),
    })
    const server = JSON.parse(JSON.stringify(running.server))
    const [one, two] = await Promise.all([createTestDatabase(server), createTestDatabase(server)])
    await one.query('delete from episodes')
    expect((await two.query('select title from episodes')).rows).toEqual([{ title: 'The first' }])
    expect((await migrationStatus(one.pool)).every(({ applied }) => applied)).toBe(true)

    await one.drop()
    await one.drop()
    expect(await databases(server.template)).toHaveLength(2)
    // Not dropped: with its server it goes all the same.
    await running.stop()
    expect(await databases(server.template)).toEqual([])
    await two.drop()
  })

  test('is an embedded one when none is given, or an empty text, and ends', async () => {
    const running = await startTestServer({ connectionString: '' })
    const database = await createTestDatabase(running.server)
    expect((await insertNode(database)).kind).toBe('collection')
    await database.drop()
    await running.stop()
    await expect(createTestDatabase(running.server)).rejects.toMatchObject({ code: expect.stringMatching(/ENOENT|ECONNREFUSED/) })
  })

  test('leaves nothing behind when the own migrations fail', async () => {
    let name = ''
    const migrate = async ({ query }: OpenDatabase) => {
      name = (await query('select current_database() as name')).rows[0]?.name
      throw new Error('no such migration')
    }
    await expect(startTestServer({ connectionString, migrate })).rejects.toThrow('no such migration')
    expect(name).toMatch(/^jobs_test_/)
    expect(await databases(name)).toEqual([])
  })

  test('says why it cannot be copied while the own migrations keep a connection', async () => {
    let forgotten: pg.Client | undefined
    const migrate = async (template: OpenDatabase) => {
      forgotten = new pg.Client({ connectionString: template.connectionString })
      forgotten.on('error', () => {})
      await forgotten.connect()
    }
    await using running = await startTestServer({ connectionString, migrate })
    await expect(createTestDatabase(running.server)).rejects.toMatchObject({ kind: 'configuration', code: 'TEST_TEMPLATE_IN_USE' })
    await forgotten?.end()
  })
})

describe('a test database', () => {
  const definition = defineJob({ type: 'a_job', payload: z.object({}) })

  test('is itself something to enqueue on', async () => {
    await using database = await createTestDatabase(inject('server'))
    const { id } = await enqueue(database, definition, {}, { collectionNodeId: (await insertNode(database)).id })
    expect((await database.query('select id from job_queue')).rows).toEqual([{ id }])
  })

  test('is empty without a template', async () => {
    await using database = await createTestDatabase({ connectionString })
    expect((await database.query(`select to_regclass('job_queue') as queue`)).rows).toEqual([{ queue: null }])
  })

  test('goes when its scope ends, and closes a pool that Kysely never used', async () => {
    let name = ''
    let pool: pg.Pool | undefined
    {
      await using database = await createTestDatabase(inject('server'))
      pool = database.pool
      name = (await database.query('select current_database() as name')).rows[0]?.name
      expect(await databases(name)).toEqual([name])
    }
    expect(await databases(name)).toEqual([])
    expect(pool.ended).toBe(true)
  })

  test('lets a pool go that was ended a moment ago, which has nobody to hear of an error', async () => {
    const database = await createTestDatabase(inject('server'))
    const pool = new pg.Pool({ connectionString: database.connectionString })
    const errors: unknown[] = []
    pool.on('error', (error) => errors.push(error))
    await Promise.all(Array.from({ length: 10 }, () => pool.query('select pg_sleep(0.01)')))
    await pool.end()
    await database.drop()
    expect(errors).toEqual([])
  })

  test('is reached with whatever else the connection string says', () => {
    expect(inDatabase('postgres://u:p@localhost:5/a?host=/tmp/x&options=-c%20x', 'b')).toBe(
      'postgres://u:p@localhost:5/b?host=/tmp/x&options=-c%20x',
    )
  })
})
