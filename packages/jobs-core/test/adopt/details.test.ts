import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type Adoption, migrate } from '../../src/admin/index.ts'
import { fingerprint } from './fingerprint.ts'
import { intercept } from './intercept.ts'
import { createLegacyDatabase, jobId, type LegacyDatabase, named, shapes } from './legacy-queue.ts'

let database: LegacyDatabase
afterEach(() => database.drop())

describe('a dry run', () => {
  test.each(shapes)('of the shape %s changes nothing and says all', async (shape) => {
    database = await createLegacyDatabase(shape)
    const before = await database.query(fingerprint)
    const planned = await adopt({ dryRun: true })
    expect(await database.query(fingerprint)).toEqual(before)
    expect(planned.applied).toEqual([])

    const done = await adopt()
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
    const { adoption } = await adopt({ dryRun: true, collectionNodeId: 'Fjellradio' })
    expect(adoption?.problems.map(({ rule }) => rule)).toEqual([
      ...['collection-invalid', 'column-taken', 'priority-null', 'job-type-empty', 'tenant-unnamed'],
    ])
    expect(adoption?.problems[2]).toMatchObject({ count: 1, examples: [jobId(2)] })
    expect(adoption?.lockedMs).toBeGreaterThan(0)
  })

  test('of a queue that is ours already, or of none, is empty', async () => {
    database = await createLegacyDatabase('no-tenant')
    await adopt()
    expect(await adopt({ dryRun: true })).toEqual({ applied: [] })
    await database.query('drop schema public cascade; create schema public')
    expect(await adopt({ dryRun: true })).toEqual({ applied: [] })
    expect(await database.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })
})

test('the locks are those that were said', async () => {
  database = await createLegacyDatabase('workspace-id')
  const { adoption } = await adopt({ dryRun: true })
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

describe('what may differ', () => {
  test('finished jobs that are too large stay, and their check stays open', async () => {
    database = await createLegacyDatabase('collection-node-id')
    await database.query(`update job_queue set payload = jsonb_build_object('text', repeat('x', 140000)) where id = '${jobId(7)}'`)
    const { adoption } = await adopt()
    expect(adoption?.notes).toContainEqual(expect.stringMatching(/^1 jobs? finished, with a payload of more than 128 KiB \(0{8}-/))
    const open = await database.query(`select conname from pg_constraint where conrelid = 'job_queue'::regclass and not convalidated`)
    expect(open).toEqual([{ conname: 'job_queue_payload_size' }])
    expect(await adopt()).toEqual({ applied: [] })
    await expect(database.query(`update job_queue set payload = jsonb_build_object('text', repeat('y', 140000))`)).rejects.toThrow(
      /payload_size/,
    )
  })

  test('jobs without a tenant among others go to the one that is named', async () => {
    database = await createLegacyDatabase('workspace-id')
    await database.query(`
      alter table job_queue alter column workspace_id drop not null;
      update job_queue set workspace_id = null where status = 'completed'`)
    await adopt({ collectionNodeId: 'aaaaaaaa-0000-4000-8000-000000000003' })
    expect(await database.query(`select collection_node_id from job_queue where status = 'completed'`)).toEqual([
      { collection_node_id: 'aaaaaaaa-0000-4000-8000-000000000003' },
    ])
  })

  test('a foreign key of another name or kind becomes ours', async () => {
    database = await createLegacyDatabase('collection-node-id')
    await database.query(`
      alter table job_queue drop constraint job_queue_collection_node_id_fkey,
        add constraint tenant foreign key (collection_node_id) references nodes (id) on delete restrict`)
    await adopt()
    const keys = await database.query(
      `select conname, pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = 'job_queue'::regclass and contype = 'f'`,
    )
    const definition = 'FOREIGN KEY (collection_node_id) REFERENCES nodes(id) ON DELETE CASCADE'
    expect(keys).toEqual([{ conname: 'job_queue_collection_node_id_fkey', definition }])
  })

  test('what hangs on the table stays and is named', async () => {
    database = await createLegacyDatabase('workspace-id')
    await database.query(`
      create view busy as select workspace_id, count(*) from job_queue where status = 'running' group by 1;
      create index by_status on job_queue (status);
      alter table job_queue add constraint sane check (attempts <= 100);
      create table seen (job uuid references job_queue (id) on delete cascade, times int default 0);
      insert into seen select id from job_queue;
      create function note() returns trigger language plpgsql as 'begin update seen set times = times + 1 where job = new.id; return null; end';
      create constraint trigger noted after update on job_queue deferrable initially deferred for each row execute function note()`)
    const { adoption } = await adopt()
    expect(adoption?.notes.slice(-3)).toEqual([
      'The constraint sane is kept and holds for the queue’s own writes too: CHECK ((attempts <= 100)).',
      'The index public.by_status names status, so every claim and settle has to write it. Drop it if nothing needs it.',
      'Triggers of your own are kept, and fire for the steps’ writes too: noted.',
    ])
    expect(await database.query('select count(*)::int as jobs from seen where times > 0')).toEqual([{ jobs: 3 }])
    expect(await database.query('select * from busy')).toEqual([])
  })

  test('waiting jobs of equal priority and time keep the order in which they were enqueued', async () => {
    database = await createLegacyDatabase('no-tenant', { rows: false })
    await database.query(`
      insert into job_queue (job_type, payload, created_at, scheduled_for, priority)
      select 'a', to_jsonb(n), timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-02-01' + n % 3 * interval '1 day', n % 2
      from generate_series(1, 200) n;
      -- Moves every seventh row behind all others.
      update job_queue set error_msg = 'touched' where (payload::int) % 7 = 0`)
    await adopt()
    const misplaced = await database.query(`
      select payload from (select *, lag(sequence) over (partition by priority, scheduled_for order by created_at) as before from job_queue) q
      where sequence < before`)
    expect(misplaced).toEqual([])
    expect(await database.query('select count(distinct sequence)::int as numbers from job_queue')).toEqual([{ numbers: 200 }])
  })

  test('varchar becomes text', async () => {
    database = await createLegacyDatabase('workspace-id')
    await database.query('alter table job_queue alter column job_type type varchar(50), alter column error_msg type varchar')
    await adopt()
    const types = await database.query(
      `select attname, atttypid::regtype::text as type from pg_attribute where attrelid = 'job_queue'::regclass and attname in ('job_type', 'error_msg') order by 1`,
    )
    expect(types).toEqual([
      { attname: 'error_msg', type: 'text' },
      { attname: 'job_type', type: 'text' },
    ])
  })

  test('a schema of any name is the one that is adopted in', async () => {
    database = await createLegacyDatabase('workspace-id')
    await database.query(`
      create schema "My App"; alter table job_queue set schema "My App"; alter type job_status set schema "My App";
      alter table workspaces set schema "My App";
      do $$ begin execute format('alter database %I set search_path = "My App", public', current_database()); end $$`)
    await adopt()
    const tables = await database.query(
      `select relname from pg_class where relnamespace = '"My App"'::regnamespace and relkind = 'r' order by 1`,
    )
    expect(tables.map(({ relname }) => relname)).toEqual([
      ...['edges', 'job_attempts', 'job_migrations', 'job_queue', 'job_steps', 'job_workers', 'node_access', 'nodes', 'workspaces'],
    ])
  })

  test('an empty queue is adopted as well, without naming a collection', async () => {
    database = await createLegacyDatabase('no-tenant', { rows: false })
    const { adoption } = await adopt({ collectionNodeId: undefined })
    expect(adoption).toMatchObject({ jobs: {}, problems: [] })
  })
})

test('a job that became bad while it was being adopted undoes everything, and is named', async () => {
  database = await createLegacyDatabase('no-tenant')
  const id = randomUUID()
  const adopting = database.withPool(async (pool) => {
    intercept(pool, async ({ text }) => {
      if (text.includes('lock table job_queue'))
        await database.query(`insert into job_queue (id, job_type, payload) values ('${id}', '', '{}')`)
      return text
    })
    await migrate(pool, { adopt: { collectionNodeId: named } })
  })
  await expect(adopting).rejects.toMatchObject({ code: 'ADOPTION_IMPOSSIBLE', message: expect.stringContaining(id) })
  expect(await database.query(`select to_regclass('job_workers') as workers, count(*)::int as jobs from job_queue`)).toEqual([
    { workers: null, jobs: 10 },
  ])
})

test('what PostgreSQL refuses for a reason of the host’s own undoes everything, and is said', async () => {
  database = await createLegacyDatabase('collection-node-id')
  await database.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'jobs are not touched by night'; end $$;
    create trigger refuse before update on job_queue for each row execute function refuse()`)
  await expect(adopt()).rejects.toMatchObject({
    code: 'ADOPTION_FAILED',
    message: expect.stringMatching(/everything was undone: jobs are not touched by night \(PL\/pgSQL function refuse\(\)/),
  })
  expect(await database.query(`select to_regclass('job_workers') as workers, count(*)::int as jobs from job_queue`)).toEqual([
    { workers: null, jobs: 9 },
  ])
})

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

function adopt(options: { collectionNodeId?: string | undefined; dryRun?: boolean } = {}) {
  const { collectionNodeId = named, ...rest } = options
  const collection = 'collectionNodeId' in options && options.collectionNodeId === undefined ? {} : { collectionNodeId }
  return database.withPool((pool) => migrate(pool, { adopt: { ...collection, ...rest } }))
}
