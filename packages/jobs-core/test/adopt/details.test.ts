import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { migrate } from '../../src/admin/index.ts'
import { adoptIn } from './adopt.ts'
import { intercept } from './intercept.ts'
import { createLegacyDatabase, jobId, type LegacyDatabase, named } from './legacy-queue.ts'

let database: LegacyDatabase
afterEach(() => database.drop())

describe('what may differ', () => {
  test('finished jobs that are too large stay, and their check stays open', async () => {
    database = await createLegacyDatabase('collection-node-id')
    await database.query(`update job_queue set payload = jsonb_build_object('text', repeat('x', 140000)) where id = '${jobId(7)}'`)
    const { adoption } = await adoptIn(database)
    expect(adoption?.notes).toContainEqual(expect.stringMatching(/^1 jobs? finished, with a payload of more than 128 KiB \(0{8}-/))
    const open = await database.query(`select conname from pg_constraint where conrelid = 'job_queue'::regclass and not convalidated`)
    expect(open).toEqual([{ conname: 'job_queue_payload_size' }])
    expect(await adoptIn(database)).toEqual({ applied: [] })
    await expect(database.query(`update job_queue set payload = jsonb_build_object('text', repeat('y', 140000))`)).rejects.toThrow(
      /payload_size/,
    )
  })

  test('jobs without a tenant among others go to the one that is named', async () => {
    database = await createLegacyDatabase('workspace-id')
    await database.query(`
      alter table job_queue alter column workspace_id drop not null;
      update job_queue set workspace_id = null where status = 'completed'`)
    await adoptIn(database, { collectionNodeId: 'aaaaaaaa-0000-4000-8000-000000000003' })
    expect(await database.query(`select collection_node_id from job_queue where status = 'completed'`)).toEqual([
      { collection_node_id: 'aaaaaaaa-0000-4000-8000-000000000003' },
    ])
  })

  test('a foreign key of another name or kind becomes ours', async () => {
    database = await createLegacyDatabase('collection-node-id')
    await database.query(`
      alter table job_queue drop constraint job_queue_collection_node_id_fkey,
        add constraint tenant foreign key (collection_node_id) references nodes (id) on delete restrict`)
    await adoptIn(database)
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
    const { adoption } = await adoptIn(database)
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
    await adoptIn(database)
    const misplaced = await database.query(`
      select payload from (select *, lag(sequence) over (partition by priority, scheduled_for order by created_at) as before from job_queue) q
      where sequence < before`)
    expect(misplaced).toEqual([])
    expect(await database.query('select count(distinct sequence)::int as numbers from job_queue')).toEqual([{ numbers: 200 }])
  })

  test('varchar becomes text', async () => {
    database = await createLegacyDatabase('workspace-id')
    await database.query('alter table job_queue alter column job_type type varchar(50), alter column error_msg type varchar')
    await adoptIn(database)
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
    await adoptIn(database)
    const tables = await database.query(
      `select relname from pg_class where relnamespace = '"My App"'::regnamespace and relkind = 'r' order by 1`,
    )
    expect(tables.map(({ relname }) => relname)).toEqual([
      ...[
        'edges',
        'job_activity',
        'job_attempts',
        'job_audit',
        'job_bulk_actions',
        'job_count_collections',
        'job_count_rounds',
        'job_counts',
        'job_durations',
        'job_ignored_errors',
        'job_migrations',
        'job_page_watchers',
        'job_pauses',
        'job_queue',
        'job_schedule_ticks',
        'job_schedules',
        'job_starts',
        'job_steps',
        'job_workers',
        'node_access',
        'nodes',
        'service_breakers',
        'workspaces',
      ],
    ])
  })

  test('an empty queue is adopted as well, without naming a collection', async () => {
    database = await createLegacyDatabase('no-tenant', { rows: false })
    const { adoption } = await adoptIn(database, { collectionNodeId: null })
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
  await expect(adoptIn(database)).rejects.toMatchObject({
    code: 'ADOPTION_FAILED',
    message: expect.stringMatching(/everything was undone: jobs are not touched by night \(PL\/pgSQL function refuse\(\)/),
  })
  expect(await database.query(`select to_regclass('job_workers') as workers, count(*)::int as jobs from job_queue`)).toEqual([
    { workers: null, jobs: 9 },
  ])
})

test('a queue that lies off the search path is named, and no empty one made beside it', async () => {
  database = await createLegacyDatabase('no-tenant')
  await database.query('create schema elsewhere; alter table job_queue set schema elsewhere')
  await expect(adoptIn(database)).rejects.toMatchObject({
    code: 'ADOPTION_IMPOSSIBLE',
    message: expect.stringContaining('there is elsewhere.job_queue'),
  })
  expect(await database.query(`select to_regclass('job_workers') as made`)).toEqual([{ made: null }])
})
