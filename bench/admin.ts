import { jobsAdmin } from '@sidelinja/jobs-admin/server'
import { type AdminDatabase, migrate, openAdminDatabase, queueMigrations, refreshCounts, roleMigrations } from '@sidelinja/jobs-core/admin'
import { startEmbeddedPostgres } from '@sidelinja/jobs-core/testing'
import pg from 'pg'
import { databaseSeconds } from './admin/cpu.ts'
import { fill, users } from './admin/fill.ts'
import { fillActivity } from './admin/fill-activity.ts'
import { times } from './admin/times.ts'

/**
 * What the admin endpoints cost, as queue_web under row-level security, with 200 collections. Times are of whole requests: the transaction, every statement
 * in it, and making the answer.
 * Usage: node --conditions=@sidelinja/source bench/admin.ts [jobs=200000] [rounds=50] [seconds=20] [folder]
 * With a folder the filled database stays there, and is used again. Ten million jobs take about 15 GB and a quarter of an hour to fill.
 */
const [jobs = 200_000, rounds = 50, seconds = 20] = process.argv.slice(2, 5).map(Number)
const folder = process.argv[5]
const origin = 'http://bench.example'
const tabs = 20

type User = keyof typeof users

const server = await startEmbeddedPostgres({ durable: true, ...(folder ? { dataFolder: folder } : {}) })
const pool = new pg.Pool({ connectionString: server.connectionString(), max: 2 })
pool.on('error', () => {})
const web = openAdminDatabase({ connection: Object.assign(new URL(server.connectionString()), { username: 'bench_web' }).toString() })
try {
  await prepare()
  const admin = mount(web)
  const ask = async (user: User, path: string, etag?: string) => {
    const headers = { accept: 'application/json', ...(etag ? { 'if-none-match': etag } : {}) }
    const request = new Request(`${origin}/admin/jobs${path}`, { headers })
    const event = { request, url: new URL(request.url), route: { id: null }, locals: { userId: users[user] } }
    const response = await admin.handle({ event, resolve: () => new Response() })
    const body = await response.text()
    if (response.status !== 200 && response.status !== 304) throw new Error(`${path}: ${response.status} ${body}`)
    return { body, etag: response.headers.get('etag') ?? '' }
  }
  await measureRequests(ask)
  await measureTabs(ask, 'one to three collections', ['one', 'three'])
  await measureTabs(ask, 'all collections', ['all'])
  await admin.close()
} finally {
  await web.close()
  await pool.end()
  await server.stop()
}

async function prepare(): Promise<void> {
  await migrate(pool, { sources: [queueMigrations, roleMigrations] })
  const { rows } = await pool.query(`select to_regrole('bench_web') is not null as filled`)
  if (!rows[0].filled) {
    const from = performance.now()
    await fill(pool, jobs)
    await fillActivity(pool)
    await pool.query('create role bench_web login in role queue_web')
    console.log(`filled in ${Math.round((performance.now() - from) / 1_000)} s`)
  }
  const size = await pool.query(`select count(*)::int as jobs, pg_size_pretty(pg_total_relation_size('job_queue')) as size from job_queue`)
  console.log(`${size.rows[0].jobs} jobs, ${size.rows[0].size} with indexes, 200 collections`)
  await pool.query(`update job_workers set lease_expires_at = now() + interval '1 day', heartbeat_at = now()`)
}

function mount(database: AdminDatabase) {
  return jobsAdmin<{ request: Request; url: URL; route: { id: null }; locals: { userId: string } }>({
    database,
    identify: ({ locals }) => locals,
    authorize: () => true,
  })
}

async function measureRequests(ask: (user: User, path: string) => Promise<{ body: string }>): Promise<void> {
  for (const kind of ['live', 'finished']) {
    await pool.query(`update job_count_rounds set next_at = '-infinity' where kind = $1`, [kind])
    const from = performance.now()
    await refreshCounts(web.db)
    console.log(`counting ${kind} jobs for all who look: ${Math.round(performance.now() - from)} ms`)
  }
  console.log('request | user of | p50 ms | p95 ms | worst ms')
  for (const user of ['one', 'three', 'all'] as const) {
    const first = JSON.parse((await ask(user, '?limit=50')).body) as { jobs: { id: string }[]; next_cursor: string }
    const waiting = JSON.parse((await ask('all', '?status=pending&limit=1')).body) as { jobs: { id: string }[] }
    const paths: [string, string][] = [
      ['list', '?limit=50'],
      ...(first.next_cursor ? [['list, second page', `?limit=50&cursor=${first.next_cursor}`] as [string, string]] : []),
      ['list, offset 10,000', '?limit=50&offset=10000'],
      ['list, failed', '?status=error'],
      ['list, running', '?status=running'],
      ['list, waiting', '?status=pending,retry'],
      ['list, cancelled', '?status=cancelled'],
      ['list, a type', '?type=type_3'],
      ['list, a rare type', '?type=type_9'],
      ['list, words of an error', '?search=answered%20503'],
      ['list, failed of a type', '?status=error&type=type_3'],
      ['job', `/${first.jobs[0]?.id}`],
      ['explain', `/${user === 'all' ? waiting.jobs[0]?.id : first.jobs[0]?.id}/explain`],
      ['counts', '/counts'],
      ['activity by the minute', '/activity'],
      ['activity by the hour', '/activity?span=hour'],
      ['errors', '/errors'],
      ['workers', '/workers'],
      ['audit', '/audit'],
    ]
    for (const [name, path] of paths) {
      const { p50, p95, worst } = await times(rounds, () => ask(user, path))
      console.log(`${name} | ${user} | ${p50} | ${p95} | ${worst}`)
    }
  }
}

/** Twenty pages that poll every five seconds, each the list and the counts: as a share of one processor. */
type Ask = (user: User, path: string, etag?: string) => Promise<{ etag: string }>

async function measureTabs(ask: Ask, of: string, whose: readonly User[]): Promise<void> {
  const everyMs = 5_000
  const before = { database: await databaseSeconds(pool), process: process.cpuUsage(), at: performance.now() }
  const until = before.at + seconds * 1_000
  await Promise.all(
    Array.from({ length: tabs }, async (_, tab) => {
      const user = whose[tab % whose.length] as User
      const etags = new Map<string, string>()
      await new Promise((resolve) => setTimeout(resolve, (tab * everyMs) / tabs))
      while (performance.now() < until) {
        for (const path of ['?limit=50', '/counts']) etags.set(path, (await ask(user, path, etags.get(path))).etag)
        await new Promise((resolve) => setTimeout(resolve, everyMs * (0.9 + Math.random() / 5)))
      }
    }),
  )
  const passedS = (performance.now() - before.at) / 1_000
  const used = process.cpuUsage(before.process)
  const share = (usedS: number) => `${((100 * usedS) / passedS).toFixed(2)} %`
  const database = (await databaseSeconds(pool)) - before.database
  console.log(
    `${tabs} tabs of users of ${of} that poll every 5 s, for ${Math.round(passedS)} s: ${share(database)} of a processor in the database, ` +
      `${share((used.user + used.system) / 1e6)} in this process`,
  )
}
