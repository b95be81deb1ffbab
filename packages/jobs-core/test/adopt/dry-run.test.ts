import { afterEach, describe, expect, test } from 'vitest'
import { type Adoption, migrate } from '../../src/admin/index.ts'
import { adoptIn } from './adopt.ts'
import { fingerprint } from './fingerprint.ts'
import { intercept } from './intercept.ts'
import { createLegacyDatabase, jobId, type LegacyDatabase, shapes } from './legacy-queue.ts'

let database: LegacyDatabase
afterEach(() => database.drop())

describe('a dry run', () => {
  test.each(shapes)('of the shape %s changes nothing and says all', async (shape) => {
    database = await createLegacyDatabase(shape)
    const before = await database.query(fingerprint)
    const planned = await adoptIn(database, { dryRun: true })
    expect(await database.query(fingerprint)).toEqual(before)
    expect(planned.applied).toEqual([])

    const done = await adoptIn(database)
    expect(done.adoption).toEqual(planned.adoption)
    expect(done.applied.filter((name) => planned.adoption?.steps.some((step) => step.name === name))).toEqual(
      planned.adoption?.steps.map(({ name }) => name),
    )
  })

  test('says everything that is wrong at once, and how long the queue would be locked', async () => {
    database = await createLegacyDatabase('no-tenant')
    await database.query(`
      update job_queue set job_type = '' where id = '${jobId(1)}';
      update job_queue set priority = null where id = '${jobId(2)}';
      alter table job_queue add column run text`)
    const { adoption } = await adoptIn(database, { dryRun: true, collectionNodeId: 'Fjellradio' })
    expect(adoption?.problems.map(({ rule }) => rule)).toEqual([
      ...['collection-invalid', 'column-taken', 'priority-null', 'job-type-empty', 'tenant-unnamed'],
    ])
    expect(adoption?.problems[2]).toMatchObject({ count: 1, examples: [jobId(2)] })
    expect(adoption?.lockedMs).toBeGreaterThan(0)
  })

  test('of a queue that is ours already, or of none, is empty', async () => {
    database = await createLegacyDatabase('no-tenant')
    await adoptIn(database)
    expect(await adoptIn(database, { dryRun: true })).toEqual({ applied: [] })
    await database.query('drop schema public cascade; create schema public')
    expect(await adoptIn(database, { dryRun: true })).toEqual({ applied: [] })
    expect(await database.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })
})

test('the locks are those that were said', async () => {
  database = await createLegacyDatabase('workspace-id')
  const { adoption } = await adoptIn(database, { dryRun: true })
  const held: Record<string, string[]> = {}
  await database.withPool(async (pool) => {
    let names: string[] = []
    intercept(pool, async ({ text, values, pid }) => {
      if (text === 'begin') names = []
      if (text.startsWith('insert into job_migrations')) names.push(values[0] as string)
      if (text === 'commit') {
        const locks = (await database.query<{ lock: string }>(strongLocks, [pid])).map(({ lock }) => lock)
        for (const name of names) held[name] = locks
      }
      return text
    })
    await migrate(pool, { adopt: {} })
  })
  const strongest = { nothing: [], writing: [], everything: ['AccessExclusiveLock on job_queue'] }
  for (const { name, part, blocks } of adoption?.steps ?? []) {
    if (part === 'takeover') expect([name, held[name]]).toEqual([name, strongest[blocks]])
  }
  expect(held).toMatchObject({
    'queue/adopt/0001_cancelled_status': [],
    'queue/adopt/0013_foreign_key': [
      ...['AccessExclusiveLock on job_queue', 'ShareRowExclusiveLock on nodes', 'AccessExclusiveLock on workspaces'],
    ],
    'queue/adopt/0014_foreign_key_valid': ['ShareUpdateExclusiveLock on job_queue'],
    'queue/adopt/0015_payload_size_valid': ['ShareUpdateExclusiveLock on job_queue'],
    'queue/adopt/0016_result_size_valid': ['ShareUpdateExclusiveLock on job_queue'],
  })
})

/** The locks of one session on tables that were there before, from the ones that keep somebody from reading or writing. */
const strongLocks = `
  select distinct on (c.relname) l.mode || ' on ' || c.relname as lock
  from pg_locks l join pg_class c on c.oid = l.relation
  where l.pid = $1 and c.relname in ('job_queue', 'nodes', 'workspaces') and l.granted
    and l.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
  order by c.relname, array_position(array['AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock'], l.mode) nulls last`

test('200,000 jobs: how long it takes', async () => {
  database = await createLegacyDatabase('workspace-id', { rows: false })
  await database.query(`
    insert into job_queue (workspace_id, job_type, payload, status, result, started_at, completed_at)
    select 'aaaaaaaa-0000-4000-8000-000000000001', 'job_' || n % 7, jsonb_build_object('audioPath', 'show/' || n || '.mp3', 'text', repeat('x', 200)),
      (case when n % 20 = 0 then 'pending' when n % 50 = 1 then 'error' else 'completed' end)::job_status, '{"ok": true}', now(), now()
    from generate_series(1, 200000) n`)
  const times: Record<string, number> = {}
  let last = performance.now()
  const { adoption } = await database.withPool((pool) =>
    migrate(pool, {
      adopt: {},
      onApplied: (name) => {
        times[name] = Math.round(performance.now() - last)
        last = performance.now()
      },
    }),
  )
  const { lockedMs, bytes } = adoption as Adoption
  console.log(`200,000 jobs in ${Math.round(bytes / 1e6)} MB, expected lock ${Math.round(lockedMs)} ms, took (ms):`, times)
  expect(await database.query('select count(*)::int as jobs from job_queue')).toEqual([{ jobs: 200_000 }])
})
