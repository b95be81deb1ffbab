import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, insertJob, insertNode, startEmbeddedPostgres, type TestDatabase } from '@sidelinja/jobs-core/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { useStarts } from '../support/npm-start.ts'
import { switchUsers } from '../support/switch-users.ts'

const start = useStarts()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelinja-start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The sample's downloads by episode and app; packages/handler-stats-parse/test tells line by line why. */
const expected = [
  ['ep001', 'AntennaPod', 1],
  ['ep001', 'Apple Podcasts', 1],
  ['ep001', 'AppleCoreMedia', 1],
  ['ep001', 'Chrome', 1],
  ['ep001', 'Overcast', 1],
  ['ep001', 'Pocket Casts', 2],
  ['ep002', 'Chrome', 1],
  ['ep002', 'Overcast', 2],
  ['ep002', 'Pocket Casts', 1],
  ['ep002', 'unknown', 2],
]

describe('npm start with the embedded PostgreSQL', () => {
  test('counts the sample once, whatever happens', { timeout: 60_000 }, async () => {
    const state = join(folder, 'state')

    const first = start(['--once', '--state', state])
    expect(await first.exited).toBe(0)
    const counts = countsIn(first.output())
    expect(first.output()).toContain('43 lines read, 25 counted, left out: ')
    expect(counts.map(({ episode, app, downloads }) => [episode, app, downloads])).toEqual(expected)
    expect(new Set(counts.map(({ day }) => day))).toEqual(new Set([yesterdayInOslo()]))

    // The next job cannot be settled, so the kill below is sure to meet it running.
    await onKeptData(
      state,
      `
      create function hang() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$;
      create trigger hang before update on job_queue for each row when (new.status = 'completed') execute function hang()`,
    )
    const killed = start(['--state', state, '--no-admin'])
    await killed.seen('stats_parse started')
    const playground = Number((await readFile(join(state, 'postgres/sidelinja.owner'), 'utf8')).split(' ')[0])
    killed.child.kill('SIGKILL')
    process.kill(playground, 'SIGKILL')
    expect(await onKeptData(state, `drop function hang cascade; select status from job_queue order by sequence desc limit 1`)).toBe(
      'running',
    )

    const again = start(['--once', '--state', state])
    expect(await again.exited).toBe(0)
    expect(again.output()).toContain('Took back 1 job')
    expect(countsIn(again.output())).toEqual(counts)
    expect(again.output()).toContain('0 lines read: nothing new')
  })

  test('keeps running, says what to do, and stops with its database on SIGTERM', async () => {
    const state = join(folder, 'kept')
    const kept = start(['--state', state, '--port', '0', '--admin-port', '0'])
    await kept.seen('Bytt bruker')
    const url = /psql '(postgres:\/\/postgres:[^']+)'/.exec(kept.output())?.[1] ?? ''
    expect(await ask(url, `select count(*)::int from podcast_downloads`)).toBe(expected.length)

    const queries = kept.output().match(/^ {15}select .*;$/gm) ?? []
    for (const query of queries) await ask(url, query)
    for (const table of ['job_queue', 'ai_calls', 'media_analyses', 'nodes']) expect(queries.join('\n')).toContain(` from ${table}`)
    const gateway = /AI_GATEWAY_URL='(http:[^']+)'/.exec(kept.output())?.[1] ?? ''
    expect((await fetch(`${gateway}/v1/models`)).status).toBe(200)

    const page = await switchUsers(kept.output(), url)

    const second = start(['--once', '--state', state])
    expect(await second.exited).toBe(2)
    expect(second.errors()).toMatch(/is already served by a PostgreSQL .*End that one first/)

    const postmaster = Number(readFileSync(join(state, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    kept.child.kill('SIGTERM')
    expect(await kept.exited).toBe(0)
    expect(kept.output()).toMatch(/\nStopping …\n(.*\n)*Stopped\.\n$/)
    expect(() => process.kill(postmaster, 0)).toThrow('ESRCH')
    await expect(fetch(page)).rejects.toThrow()
  })

  test('its database is ended by somebody: one sentence; jobs of others are no obstacle to the next start', {
    timeout: 60_000,
  }, async () => {
    // As the first test leaves it, which saves a new database.
    const state = join(folder, 'state')
    const kept = start(['--state', state, '--no-admin'])
    await kept.seen('Ctrl-C')
    const experiments = /DATABASE_URL='(postgres:[^']+)'/.exec(kept.output())?.[1] ?? ''
    expect(await ask(experiments, `select to_regclass('job_queue')`)).toBeNull()
    const url = /psql '(postgres:[^']+)'/.exec(kept.output())?.[1] ?? ''
    await ask(
      url,
      `insert into nodes (kind, title) values ('collection', 'mine'); select enqueue_job(id, 'greet', '{}') from nodes where title = 'mine'`,
    )

    process.kill(Number(readFileSync(join(state, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT')
    expect(await kept.exited).toBe(1)
    expect(kept.errors()).toMatch(/^The embedded PostgreSQL has ended by itself, or was ended\. .*\n$/)
    const again = start(['--once', '--state', state])
    expect(await again.exited).toBe(0)
    expect(again.output()).not.toContain('Took back')

    await onKeptData(state, `select enqueue_job(id, 'stats_parse', '{}') from nodes where title = 'mine'`)
    const refused = start(['--once', '--state', state])
    expect(await refused.exited).toBe(2)
    expect(refused.errors()).toMatch(/of other collections.*Delete the folder .*state/)
    expect(refused.errors()).not.toContain('DATABASE_URL')
  })

  test('data from before a migration was edited: one sentence says which folder to delete', async () => {
    const state = join(folder, 'kept')
    expect(await start(['--once', '--state', state]).exited).toBe(0)
    await onKeptData(state, "update job_migrations set checksum = 'another' where name = 'handlers/0001_podcast_statistics'")
    const refused = start(['--once', '--state', state])
    expect(await refused.exited).toBe(2)
    expect(refused.errors()).toMatch(/^Migration handlers\/0001_podcast_statistics was applied with other contents .*\n$/)
    expect(refused.errors()).toContain(`delete the folder ${state}`)
  })

  test('what cannot work is one sentence', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const cases: [string[], string][] = [
      [['--onse'], 'Unknown option --onse. Did you mean --once?'],
      [['--admin-port', String((busy.address() as AddressInfo).port)], 'is taken, or may not be used. Choose another with --admin-port'],
      [['--port', 'x'], '--port must be a port number'],
      [['--state', join(file, 'state')], 'cannot be used'],
      [['--state', '/proc/nope'], '/proc/nope/postgres cannot be used: ENOENT'],
    ]
    for (const [args, words] of cases) {
      const failed = start(args)
      expect(await failed.exited).toBe(2)
      expect(failed.errors()).toContain(words)
      expect(failed.errors().trim().split('\n')).toHaveLength(1)
    }
    busy.close()
  })
})

describe('npm start with DATABASE_URL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
  })
  afterAll(() => database.drop())
  const startOn = (state: string) => start(['--once', '--state', join(folder, state)], { DATABASE_URL: database.connectionString })

  test('uses that database, and not while others have such jobs in it', async () => {
    const own = startOn('given')
    expect(await own.exited).toBe(0)
    expect(countsIn(own.output())).toHaveLength(expected.length)
    expect(own.output()).not.toContain('embedded')

    await insertJob(database.db, { job_type: 'greet' })
    expect(await startOn('given').exited).toBe(0)
    const job = await insertJob(database.db, { job_type: 'stats_parse' })
    const refused = startOn('given')
    expect(await refused.exited).toBe(2)
    expect(refused.errors()).toMatch(/of other collections.*Create an empty database/)
    await database.db.deleteFrom('job_queue').where('id', '=', job.id).execute()
  })

  test('an address that is none, and a folder that cannot be used, are one sentence', async () => {
    const foo = start(['--once'], { DATABASE_URL: 'foo' })
    expect(await foo.exited).toBe(2)
    expect(foo.errors()).toMatch(/^DATABASE_URL is no PostgreSQL address\. .*\n$/)
    const nope = start(['--once', '--state', '/proc/nope'], { DATABASE_URL: database.connectionString })
    expect(await nope.exited).toBe(2)
    expect(nope.errors()).toMatch(/^\/proc\/nope\/logs-\w+ cannot be used: ENOENT.*\n$/)
  })

  test('a job that ends in error makes --once fail with its text', async () => {
    await database.pool.query('delete from nodes')
    await insertNode(database.db, {
      id: '5a1de11a-0000-4000-8000-000000000001',
      metadata: '{"jobs": {"statistics": {"mediaPrefixes": []}}}',
    })
    const failed = startOn('failing')
    expect(await failed.exited).toBe(1)
    expect(failed.errors()).toMatch(/ended as error: .*mediaPrefixes/)
  })
})

function countsIn(output: string): { episode: string; day: string; app: string; downloads: number }[] {
  return [...output.matchAll(/^\/media\/(ep\d+)\.mp3 +(\d{4}-\d\d-\d\d) +(.+?) +(\d+)$/gm)].map(
    ([, episode = '', day = '', app = '', downloads]) => ({
      ...{ episode, day, app },
      downloads: Number(downloads),
    }),
  )
}

function yesterdayInOslo(): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Oslo' }).format(new Date())
  return new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
}

/** Runs statements on a data folder that no start serves. */
async function onKeptData(state: string, statements: string): Promise<unknown> {
  const server = await startEmbeddedPostgres({ dataFolder: join(state, 'postgres') })
  try {
    return await ask(server.connectionString('sidelinja'), statements)
  } finally {
    await server.stop()
  }
}

/** The first value of the last statement. */
async function ask(connectionString: string, statements: string): Promise<unknown> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    const results = [await client.query({ text: statements, rowMode: 'array' })].flat()
    return results.at(-1)?.rows[0]?.[0]
  } finally {
    await client.end()
  }
}
