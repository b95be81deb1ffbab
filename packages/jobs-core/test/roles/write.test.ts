import '../support/as-queue-worker.ts'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineJob, enqueue } from '../../src/index.ts'
import { insertNode, waitForJob } from '../../src/testing/index.ts'
import { openDatabase } from '../../src/testing/server/open-database.ts'
import { defineHandler } from '../../src/worker/index.ts'
import { useQueue } from '../support/use-queue.ts'

const queue = useQueue()
const definition = defineJob({ type: 'writes', payload: z.any(), maxAttempts: 3 })
let theirs: string
const mine = () => queue.collectionNodeId
const words = async () => (await queue.pool.query('select word from words order by word')).rows.map(({ word }) => word)

beforeAll(async () => {
  theirs = (await insertNode(queue.db)).id
  await queue.pool.query(`
    create table words (collection_node_id uuid not null, word text primary key, until timestamptz, number serial);
    create table letters (word text not null references words (word) on delete cascade, collection_node_id uuid not null);
    select secure_handler_table('words', true, 'old.until <= now()'), secure_handler_table('letters', false)`)
})
beforeEach(async () => {
  await queue.pool.query('truncate words, letters, edges')
  await queue.pool.query(`insert into words values ($1, 'mine'), ($2, 'theirs')`, [mine(), theirs])
  await queue.pool.query(`insert into letters values ('theirs', $1)`, [theirs])
})

/** Runs a job of `mine` whose write runs these statements, to its end. */
async function write(...statements: RawBuilder<unknown>[]) {
  await queue.startWorker([
    defineHandler(definition, async () => ({
      write: async (trx) => {
        for (const statement of statements) await statement.execute(trx)
      },
    })),
  ])
  const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: mine() })
  const job = await waitForJob(queue.db, id)
  return { ...job, code: (await queue.attempts(id))[0]?.error_code }
}

const refused = { status: 'error', attempts: 1, code: 'WRITE_OUTSIDE_COLLECTION' }

describe('what a job writes into a table of handlers', () => {
  test('of its own collection goes through: insert, update, delete, upsert', async () => {
    const job = await write(
      sql`insert into words values (${mine()}, 'new'), (${mine()}, 'gone')`,
      sql`update words set word = 'newer' where word = 'new'`,
      sql`insert into words values (${mine()}, 'newer') on conflict (word) do update set word = 'newest'`,
      sql`delete from words where word = 'gone'`,
    )
    expect(job).toMatchObject({ status: 'completed', attempts: 1 })
    expect(await words()).toEqual(['mine', 'newest', 'theirs'])
  })

  test.each<[string, () => RawBuilder<unknown>]>([
    ['an insert', () => sql`insert into words values (${theirs}, 'forged')`],
    ['an update', () => sql`update words set word = 'forged' where word = 'theirs'`],
    ['an update that takes the row', () => sql`update words set collection_node_id = ${theirs} where word = 'mine'`],
    ['an update that takes it', () => sql`update words set collection_node_id = ${mine()} where word = 'theirs'`],
    [
      'an upsert that takes it',
      () =>
        sql`insert into words values (${mine()}, 'theirs') on conflict (word) do update set collection_node_id = excluded.collection_node_id`,
    ],
    ['an upsert', () => sql`insert into words values (${theirs}, 'theirs') on conflict (word) do update set word = 'forged'`],
    ['a delete', () => sql`delete from words where word = 'theirs'`],
    ['a delete of everything', () => sql`delete from words`],
  ])('of another collection is refused for good: %s', async (_name, statement) => {
    const job = await write(sql`insert into words values (${mine()}, 'before')`, statement())
    expect(job).toMatchObject({ ...refused, error_msg: expect.stringContaining('that belongs to another collection') })
    expect(job.error_msg).toMatch(/^write\(trx\) may only touch what belongs to the job's own collection/)
    expect(await words()).toEqual(['mine', 'theirs'])
  })

  test('deletes what its table gives free, of whatever collection, and what hangs on it', async () => {
    await queue.pool.query(`update words set until = now() where word = 'theirs'`)
    expect(await write(sql`delete from words where until <= now()`)).toMatchObject({ status: 'completed' })
    expect(await words()).toEqual(['mine'])
    expect((await queue.pool.query('select from letters')).rowCount).toBe(0)
  })

  test('reads those of all collections: handlers name the tenant themselves', async () => {
    expect(
      await write(sql`insert into words select ${mine()}, word || ' read' from words where collection_node_id = ${theirs}`),
    ).toMatchObject({
      status: 'completed',
    })
    expect(await words()).toEqual(['mine', 'theirs', 'theirs read'])
  })

  test('happens in write and nowhere else', async () => {
    const outside = openDatabase(queue.connectionString)
    try {
      expect((await outside.query('select word from words')).rowCount).toBe(2)
      for (const statement of [`insert into words values ('${mine()}', 'x')`, `update words set word = 'x'`, 'delete from words']) {
        await expect(outside.query(statement)).rejects.toMatchObject({
          code: 'JQ001',
          message: expect.stringContaining('in write(trx) of a job only'),
        })
      }
      await expect(outside.query('truncate words')).rejects.toMatchObject({ code: '42501' })
    } finally {
      await outside.db.destroy()
      await outside.pool.end()
    }
  })

  test('prints no row when it is refused', async () => {
    const job = await write(sql`insert into words values (${theirs}, 'canary-3f9a')`)
    expect(job).toMatchObject(refused)
    expect(JSON.stringify([job, await queue.attempts(job.id)])).not.toContain('canary')
  })
})

describe('what a job enqueues in write', () => {
  const followUp = (collection: string) => sql`select enqueue_job(${collection}::uuid, 'other', '{}')`

  test('may be of its own collection', async () => {
    expect(await write(followUp(mine()))).toMatchObject({ status: 'completed' })
    expect((await queue.pool.query(`select from job_queue where job_type = 'other'`)).rowCount).toBe(1)
  })

  test('may not be of another', async () => {
    expect(await write(followUp(mine()), followUp(theirs))).toMatchObject(refused)
    expect((await queue.pool.query(`select from job_queue where job_type = 'other'`)).rowCount).toBe(0)
  })

  test('by enqueue gives the same error', async () => {
    await queue.startWorker([
      defineHandler(definition, async () => ({
        write: async (trx) => void (await enqueue(trx, definition, 2, { collectionNodeId: theirs })),
      })),
    ])
    const { id } = await enqueue(queue.db, definition, 1, { collectionNodeId: mine() })
    expect(await waitForJob(queue.db, id)).toMatchObject({ status: 'error', attempts: 1 })
    expect(await queue.attempts(id)).toMatchObject([{ error_code: 'WRITE_OUTSIDE_COLLECTION' }])
  })
})

describe('what a job writes into nodes and edges', () => {
  const newNode = '01900000-0000-7000-8000-000000000001'
  const insert = sql`insert into nodes (id, kind, title) values (${newNode}, 'clip', 'a')`
  const join = (source: () => string, target: () => string) => () =>
    sql`insert into edges (source_id, target_id, kind) values (${source()}, ${target()}, 'part_of')`
  beforeEach(() => queue.pool.query('delete from nodes where id = $1', [newNode]))

  test('may be its own node, what is joined to it, and what it has just made', async () => {
    const episode = (await insertNode(queue.db)).id
    await queue.pool.query(`insert into edges (source_id, target_id, kind) values ($1, $2, 'part_of')`, [episode, mine()])
    const job = await write(
      sql`update nodes set title = 'new' where id in (${mine()}, ${episode})`,
      insert,
      sql`update nodes set title = 'b' where id = ${newNode}`,
      join(() => newNode, mine)(),
      join(
        () => newNode,
        () => episode,
      )(),
    )
    expect(job).toMatchObject({ status: 'completed' })
    expect((await queue.pool.query('select from edges')).rowCount).toBe(3)
  })

  test.each<[string, () => RawBuilder<unknown>]>([
    ["another collection's node", () => sql`update nodes set title = 'x' where id = ${theirs}`],
    ['an edge to it', join(mine, () => theirs)],
    ['an edge from it', join(() => theirs, mine)],
    [
      'an edge from a new node to it',
      join(
        () => newNode,
        () => theirs,
      ),
    ],
  ])('is refused for good: %s', async (_name, statement) => {
    expect(await write(insert, statement())).toMatchObject(refused)
    expect((await queue.pool.query('select from nodes where id = $1', [newNode])).rowCount).toBe(0)
  })

  test('is nothing it may delete', async () => {
    const { id } = await insertNode(queue.db)
    await queue.startWorker([
      defineHandler(definition, async () => ({ write: async (trx) => void (await sql`delete from nodes where id = ${id}`.execute(trx)) })),
    ])
    const job = await enqueue(queue.db, definition, 1, { collectionNodeId: mine(), maxAttempts: 1 })
    expect(await waitForJob(queue.db, job.id)).toMatchObject({ status: 'error', error_msg: 'permission denied for table nodes' })
  })

  test('does not bind anybody else', async () => {
    await queue.pool.query(`update nodes set title = 'by the host' where id = $1`, [theirs])
    await queue.pool.query(`grant select, update on nodes to queue_enqueue`)
    const client = await queue.pool.connect()
    try {
      await client.query('set role queue_enqueue')
      expect((await client.query(`update nodes set title = 'by a role of the host' where id = $1`, [theirs])).rowCount).toBe(1)
    } finally {
      await client.query('reset role')
      client.release()
    }
  })
})

test('a worker of queue_worker is not warned about', async () => {
  await queue.startWorker([defineHandler(definition, async () => {})], { strictRoles: true })
  expect(queue.named('role.unbound')).toEqual([])
  const { rows } = await queue.pool.query(
    `select distinct usename from pg_stat_activity where datname = current_database() and application_name like 'sidelinja-jobs%'`,
  )
  expect(rows).toEqual([{ usename: expect.stringMatching(/^test_/) }])
})
