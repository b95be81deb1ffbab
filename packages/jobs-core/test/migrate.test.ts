import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrate, migrationStatus, queueMigrations } from '../src/admin/index.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing/index.ts'
import { holdTransaction, untilSomebodyWaits } from './support/hold-lock.ts'

let database: TestDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await createTestDatabase({ connectionString: inject('server').connectionString })
  pool = database.pool
})
afterAll(() => database.drop())

describe('migrate', () => {
  test('two at once apply every file once, in order', async () => {
    expect(await migrationStatus(pool)).toContainEqual({ name: 'queue/0001_host_tables', applied: false })
    const [first, second] = await Promise.all([migrate(pool), migrate(pool)])
    const applied = [...first.applied, ...second.applied]
    expect(applied[0]).toBe('queue/0001_host_tables')
    expect(new Set(applied).size).toBe(applied.length)
    expect((await migrationStatus(pool)).every((migration) => migration.applied)).toBe(true)
    expect(await migrate(pool)).toEqual({ applied: [] })
  })

  test('an index whose building was cut off is built anew', async () => {
    const name = 'queue/0010_held_index'
    await pool.query(`delete from job_migrations where name = $1`, [name])
    await pool.query(`update pg_index set indisvalid = false where indexrelid = 'job_queue_held'::regclass`)
    expect(await migrate(pool)).toEqual({ applied: [name] })
    const { rows } = await pool.query(`select indisvalid from pg_index where indexrelid = 'job_queue_held'::regclass`)
    expect(rows).toEqual([{ indisvalid: true }])
  })

  test('an index waits for transactions that are open, for longer than a lock is waited for otherwise', async () => {
    await pool.query(`delete from job_migrations where name = 'queue/0014_parked'; drop index job_queue_parked`)
    const open = await holdTransaction(pool, 'lock table job_queue in row exclusive mode')
    const migrating = migrate(pool)
    await untilSomebodyWaits(pool)
    await open.query('select pg_sleep(0.3)')
    await open.commit()
    expect(await migrating).toEqual({ applied: ['queue/0014_parked'] })
  })

  test('a file edited after it was applied is refused by name', async () => {
    await pool.query(`update job_migrations set checksum = 'other' where name = 'queue/0002_job_queue'`)
    await expect(migrate(pool)).rejects.toThrow(/queue\/0002_job_queue was applied with other contents/)
  })

  test('a job_queue that is not ours is refused', async () => {
    await pool.query('drop table job_migrations')
    await expect(migrate(pool, { sources: [queueMigrations] })).rejects.toMatchObject({ code: 'QUEUE_NOT_OURS' })
  })
})
