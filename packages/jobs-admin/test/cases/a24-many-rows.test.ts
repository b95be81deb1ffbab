import { randomUUID } from 'node:crypto'
import { insertWorker } from '@sidelinja/jobs-core/testing'
import { sql } from 'kysely'
import { beforeAll, expect, inject, test } from 'vitest'
import { recording, type Sent } from '../statements.ts'
import { useAdmin } from '../support.ts'

/** A million by `npm run cases`. */
const completed = inject('fullCases') ? 1_000_000 : 50_000
/** Where ten thousand rows are a good part of the table, reading it whole is the cheaper way to find them. */
const wantsMuch = inject('fullCases') ? [] : ['/counts', '?offset=10000']
const sent: Sent[] = []
const admin = useAdmin({}, { max: 1, config: recording(sent) })
const user = () => admin.user

/** Completed ones over three collections, one of them somebody else's, and fifty of each other state in the user's own. */
beforeAll(async () => {
  const worker = await insertWorker(admin.database.db, { types: ['type_0'] })
  const row = `'{"note":"' || repeat('x', 280) || '"}'`
  await admin.database.query(
    `insert into job_queue (collection_node_id, job_type, payload, status, attempts, run, created_at, started_at, completed_at)
     select ($1::uuid[])[1 + n % 3], 'type_' || n % 5, (${row})::jsonb, 'completed', 1, 1, now() - n * interval '1 second', now(), now()
     from generate_series(1, $2) n`,
    [[admin.mine, admin.seen, admin.foreign], completed],
  )
  await admin.database.query(
    `insert into job_queue (collection_node_id, job_type, payload, status, attempts, run, worker_id, created_at, started_at, completed_at, error_msg)
     select $1, 'type_0', (${row})::jsonb, s::job_status, case s when 'pending' then 0 else 1 end, 1, $2, now() - n * interval '1 hour', now(),
       case when s in ('error', 'cancelled') then now() end, 'it failed'
     from unnest(array['pending', 'running', 'error', 'retry', 'cancelled']) s, generate_series(1, 50) n`,
    [admin.mine, worker.id],
  )
  await admin.database.query('vacuum analyze job_queue')
}, 300_000)

const paths = (id: string) => [
  ...[
    '',
    '?status=error',
    '?status=running',
    '?status=pending,retry',
    '?status=completed',
    '?status=cancelled',
    '?type=type_3',
    '?type=type_9',
  ],
  ...['?offset=10000', '?limit=200', `?search=${id}`, '?search=it%20failed&status=error', '?created_before=2026-01-01T00:00:00Z'],
  ...[`?collection_id=${randomUUID()}`, '?error_group=abc', '/counts', '/errors', '/workers', '/audit', '/pauses', '/schedules'],
  ...[`/${id}`, `/${id}/explain`],
]

test(`with ${completed} completed jobs no page, filter or count reads the whole table, and a deep offset is refused`, {
  timeout: 600_000,
}, async () => {
  // Through an index: what this connection has read may be told later.
  const { rows } = await admin.database.query<{ id: string }>(
    'select id from job_queue where ready and not parked order by priority desc, scheduled_for, sequence limit 1',
  )
  await admin.database.query(`update job_count_rounds set next_at = '-infinity', counted_at = null`)
  const read: Record<string, number> = {}
  for (const path of paths(rows[0]?.id as string)) {
    const before = await scans()
    const started = performance.now()
    const answer = await admin.get(user(), path)
    expect([path, answer.status]).toEqual([path, 200])
    await answer.text()
    if (inject('fullCases')) console.log(`${Math.round(performance.now() - started)} ms ${path}`)
    read[path] = (await scans()) - before
  }
  expect(Object.entries(read).filter(([path, times]) => times > 0 && !wantsMuch.includes(path))).toEqual([])
  await expectPlans()
  await expectDeepPages()
})

/** None of the statements that were sent would, by its plan. */
async function expectPlans(): Promise<void> {
  const looks = [
    ...new Map(
      sent
        .filter(({ text, values }) => /job_queue/.test(text) && !(wantsMuch.length > 0 && values.includes(10_000)))
        .map((one) => [JSON.stringify(one), one]),
    ).values(),
  ]
  expect(looks.length).toBeGreaterThan(15)
  for (const { text, values } of looks) expect(await planOf({ text, values: [...values] })).not.toMatch(/Seq Scan on job_queue/)
}

async function expectDeepPages(): Promise<void> {
  expect((await admin.get(user(), '?offset=500000')).status).toBe(400)
  const { next_cursor } = (await (await admin.get(user(), '?offset=10000&limit=200')).json()) as { next_cursor: string }
  const { jobs } = (await (await admin.get(user(), `?limit=200&cursor=${next_cursor}`)).json()) as { jobs: object[] }
  expect(jobs).toHaveLength(200)
}

/** As queue_web, for the user: under row-level security. */
async function planOf({ text, values }: Sent): Promise<string> {
  return admin.web.db.transaction().execute(async (trx) => {
    await sql`select set_config('app.user_id', ${user().userId}, true)`.execute(trx)
    const { rows } = await trx.executeQuery<{ 'QUERY PLAN': string }>({
      ...{ sql: `explain ${text}`, parameters: values, query: sql`` as never, queryId: { queryId: randomUUID() } },
    } as never)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

/** How often the whole table was read, the functions' statements included: the one connection tells what it has done. */
async function scans(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(admin.web.db)
  await sql`select 1`.execute(admin.web.db)
  const { rows } = await admin.database.query<{ n: number }>(
    `select seq_scan::int as n from pg_stat_user_tables where relname = 'job_queue'`,
  )
  return rows[0]?.n as number
}
