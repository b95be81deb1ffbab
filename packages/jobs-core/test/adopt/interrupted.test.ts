import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, migrationStatus } from '../../src/admin/index.ts'
import { isConnectionLoss } from '../../src/database/sql-state.ts'
import { intercept } from './intercept.ts'
import { createLegacyDatabase, jobId, jobs, type LegacyDatabase, named, shapes } from './legacy-queue.ts'

const ids = jobs.map(({ n }) => jobId(n))

describe.each(shapes)('adopting a queue of the shape %s, killed ahead of every statement that is more than a question', (shape) => {
  let database: LegacyDatabase
  let untouched: unknown
  beforeAll(async () => {
    database = await createLegacyDatabase(shape)
    untouched = await read()
  })
  afterAll(() => database.drop())

  test('leaves the queue as it was, until it is ours', async () => {
    let statements = 0
    while (!(await isOurs())) {
      expect(await read()).toEqual(untouched)
      expect(await adoptButKill(++statements)).toBe('killed')
    }
    expect(statements).toBeGreaterThan(20)
    expect((await database.query<{ id: string }>('select id from job_queue order by id')).map(({ id }) => id)).toEqual(ids)
  })

  test('goes on from there, though nobody says any more that it is an adoption', async () => {
    const status = await database.withPool((pool) => migrationStatus(pool))
    expect(status).toContainEqual({ name: 'queue/adopt/0017_statistics', applied: false })
    let statements = 0
    while ((await adoptButKill(++statements, false)) === 'killed') expect(await isOurs()).toBe(true)
    expect(statements).toBeGreaterThan(10)
  })

  test('ends with everything done once', async () => {
    const counts = await database.query(`
      select (select count(*)::int from job_queue) as jobs, (select count(*)::int from job_attempts) as attempts,
        (select count(*)::int from nodes) as nodes,
        (select count(*)::int from pg_constraint where conrelid = 'job_queue'::regclass and not convalidated) as unchecked,
        (select array_agg(name order by name) from job_migrations where name like 'queue/adopt/%')::text like '%0017_statistics%' as done`)
    const nodes = { 'no-tenant': 1, 'workspace-id': 3, 'collection-node-id': 2 }[shape]
    const status = await database.withPool((pool) => migrationStatus(pool))
    expect(status.filter(({ applied }) => !applied)).toEqual([])
    expect(counts).toEqual([{ jobs: 9, attempts: 2, nodes, unchecked: 0, done: true }])
  })

  /** Runs the migrator, and ends its backend ahead of the statement of this number that could change something. */
  function adoptButKill(number: number, adopt = true): Promise<'killed' | 'done'> {
    let seen = 0
    return database.withPool(
      async (pool) => {
        intercept(pool, async ({ text, pid }) => {
          if (++seen === number) await database.query('select pg_terminate_backend($1)', [pid])
          return text
        })
        return migrate(pool, adopt ? { adopt: { collectionNodeId: named } } : {}).then(
          () => 'done' as const,
          (error) => {
            expect([isConnectionLoss(error), error]).toEqual([true, error])
            return 'killed' as const
          },
        )
      },
      { max: 1 },
    )
  }

  async function isOurs(): Promise<boolean> {
    const rows = await database.query<{ ours: boolean }>(
      `select exists (select from pg_attribute where attrelid = 'job_queue'::regclass and attname = 'run') as ours`,
    )
    return rows[0]?.ours === true
  }

  function read() {
    return database.query(`
      select (select array_agg(attname::text order by attnum) from pg_attribute where attrelid = 'job_queue'::regclass) as columns,
        to_regclass('idx_job_queue_pending') as index, array_agg(q::text order by id) as rows
      from job_queue q`)
  }
})
