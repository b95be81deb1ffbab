import { createTestDatabase, inDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { spawnWorker } from './spawn-worker.ts'

let database: TestDatabase
let connectionString: string

beforeAll(async () => {
  database = await createTestDatabase({ connectionString: inject('server').connectionString })
  connectionString = database.connectionString
})
afterAll(() => database.drop())

test('migrate status, migrate and again', async () => {
  const before = await migrate(['status'])
  expect(before.code).toBe(0)
  expect(before.output).toMatch(/^missing .*0001_/)
  expect(before.output).not.toContain('applied')

  const first = await migrate([])
  expect(first.code).toBe(0)
  expect(first.output.replaceAll('applied', 'missing')).toBe(`${before.output}The database is up to date.\n`)

  const second = await migrate(['up'])
  expect([second.code, second.output]).toEqual([0, 'Nothing to apply: the database is up to date.\n'])
  expect((await migrate(['status'])).output).toBe(before.output.replaceAll('missing', 'applied'))
})

test('migrate --roles, and from then on migrate knows', async () => {
  const fresh = await createTestDatabase({ connectionString: inject('server').connectionString })
  try {
    expect((await migrate([], fresh.connectionString)).output).not.toContain('roles/')
    expect((await migrate(['status'], fresh.connectionString)).output).not.toContain('roles/')
    const { code, output } = await migrate(['--roles'], fresh.connectionString)
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^applied roles\/0001_group_roles\n(.|\n)*applied handler-roles\/0001_(.|\n)*up to date\.\n$/),
    ])
    // As if a release had brought another one.
    await fresh.query(`delete from job_migrations where name = 'handler-roles/0001_podcast_statistics'`)
    expect((await migrate(['status'], fresh.connectionString)).output).toContain('missing handler-roles/0001_podcast_statistics')
  } finally {
    await fresh.drop()
  }
})

test('a database that cannot be reached is exit 5', async () => {
  const { code, errors } = await migrate([], 'postgres://user:hunter2@127.0.0.1:1/db')
  expect([code, errors]).toEqual([5, expect.stringMatching(/^sidelinja-worker: The database cannot be reached: .*ECONNREFUSED/)])
  expect(errors).not.toContain('hunter2')
})

test('a database that does not exist is exit 2', async () => {
  const { code, errors } = await migrate([], inDatabase(connectionString, 'no_such_database'))
  expect([code, errors]).toEqual([
    2,
    expect.stringContaining('PostgreSQL refuses DATABASE_URL: database "no_such_database" does not exist'),
  ])
})

async function migrate(args: string[], url = connectionString): Promise<{ code: number | string; output: string; errors: string }> {
  const worker = spawnWorker(['migrate', ...args], { DATABASE_URL: url })
  const code = await worker.exited
  return { code, output: worker.output(), errors: worker.errors() }
}
