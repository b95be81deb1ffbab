import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readSchema } from './support/catalogue.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(inject('server'))
})
afterAll(() => database.drop())

describe('schema', () => {
  // A new migration changes it: `npm run schema:update` writes the file anew, and the difference is read in review.
  test('is what migrations/schema.snapshot.json says', async () => {
    const schema = await readSchema(database.pool)
    expect(Object.keys(schema.tables)).toContain('job_queue')
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../migrations/schema.snapshot.json')
  })

  test.each([
    ['a default', 'alter table job_queue alter column max_attempts set default 4'],
    ['a type', 'alter table job_attempts alter column error_msg type varchar(100)'],
    ['not null', 'alter table job_queue alter column error_msg set not null'],
    ['an index', 'create index on job_queue (error_msg)'],
    ['a check', 'alter table job_queue add check (priority < 100)'],
    ['a table setting', 'alter table job_queue set (fillfactor = 90)'],
    ['an enum label', "alter type job_status add value 'lost'"],
    ['a view', 'alter view podcast_download_totals reset (security_invoker)'],
    ['a trigger', 'drop trigger job_queue_wake on job_queue'],
    ['a function', 'create or replace function wake_idle_workers(job_types text[]) returns void language sql as $$ select $$'],
  ])('a difference in %s is seen', async (_name, statement) => {
    const before = await readSchema(database.pool)
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query(statement)
      expect(await readSchema(client)).not.toEqual(before)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
