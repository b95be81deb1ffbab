import { readFileSync } from 'node:fs'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { spawnWorker } from './spawn-worker.ts'

const collection = 'bbbbbbbb-0000-4000-8000-000000000009'
const fixture = new URL('../../../packages/jobs-core/test/adopt/fixtures/no-tenant.sql', import.meta.url)
let database: TestDatabase
let connectionString: string

beforeAll(async () => {
  database = await createTestDatabase({ connectionString: inject('server').connectionString })
  connectionString = database.connectionString
  await run(connectionString, readFileSync(fixture, 'utf8'))
  await run(
    connectionString,
    `create table nodes (id uuid primary key, kind text not null, name text);
     insert into nodes values ('${collection}', 'collection', 'Fjellradio');
     insert into job_queue (id, job_type, payload, status) values
       ('00000000-0000-4000-8000-000000000001', '', '{}', 'pending'), ('00000000-0000-4000-8000-000000000002', 'old', '{}', 'running')`,
  )
})
afterAll(() => database.drop())

test('migrate refuses a foreign queue and says how to go on', async () => {
  const { code, errors } = await migrate()
  expect([code, errors]).toEqual([2, expect.stringContaining('sidelinja-worker migrate --adopt --dry-run')])
})

test('a dry run says what is in the way, what would be done and what it would lock', async () => {
  const { code, output } = await migrate('--adopt', '--dry-run')
  expect(code).toBe(2)
  expect(output.replaceAll(/about (a second|\d+ s)/g, 'about … s')).toMatchSnapshot()
})

test('what was refused has changed nothing, and goes through when it is mended', async () => {
  const refused = await migrate('--adopt-collection', collection)
  const missing = /^(note: Workers will not start before this is mended: nodes\.\w+ is missing .*\n){5}$/
  expect([refused.code, refused.output, refused.errors]).toEqual([
    2,
    expect.stringMatching(missing),
    expect.stringContaining('1 job with an empty job_type'),
  ])
  await run(connectionString, `delete from job_queue where job_type = ''`)

  const old = new pg.Client({ connectionString, application_name: 'old-worker' })
  old.on('error', () => {})
  await old.connect()
  await old.query('select count(*) from job_queue')
  const early = await migrate('--adopt-collection', collection, '--dry-run')
  expect([early.code, early.output]).toEqual([2, expect.stringMatching(/In the way now: [\s\S]*old-worker/)])
  expect((await migrate('--adopt-collection', collection, '--dry-run', '--force')).code).toBe(0)
  await old.end()

  const planned = await migrate('--adopt-collection', collection, '--dry-run')
  expect([planned.code, planned.output]).toEqual([0, expect.stringContaining('Run it again without --dry-run to adopt.')])

  const done = await migrate('--adopt-collection', collection)
  expect(done.code).toBe(0)
  expect(done.output).toMatch(
    /\napplied queue\/adopt\/0001_cancelled_status\n[\s\S]*note: 1 job running[\s\S]*The database is up to date.\n$/,
  )

  const again = await migrate('--adopt', '--dry-run')
  expect([again.code, again.output]).toEqual([0, expect.stringContaining('There is nothing to adopt')])
})

async function migrate(...args: string[]): Promise<{ code: number | string; output: string; errors: string }> {
  const worker = spawnWorker(['migrate', ...args], { DATABASE_URL: connectionString })
  const code = await worker.exited
  return { code, output: worker.output(), errors: worker.errors() }
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query(text).finally(() => client.end())
}
