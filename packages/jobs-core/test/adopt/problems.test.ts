import { afterEach, describe, expect, test } from 'vitest'
import { type AdoptionProblem, migrate } from '../../src/admin/index.ts'
import { fingerprint } from './fingerprint.ts'
import { createLegacyDatabase, jobId, type LegacyDatabase, type LegacyShape, named } from './legacy-queue.ts'

interface Case {
  shape: LegacyShape
  /** What makes the queue one that cannot be adopted. */
  broken: string
  /** The problems that are said, in order. */
  says: RegExp[]
  /** Without the collection that has no tenant. */
  unnamed?: boolean
  /** What a user does where the remedy has no statements. Default: the remedy's own. */
  cure?: string
}

const large = (column: string, kilobytes: number, n: number) =>
  `update job_queue set ${column} = jsonb_build_object('text', repeat('x', ${kilobytes} * 1024)) where id = '${jobId(n)}'`
const oneRow = `where id = '${jobId(1)}'`
const nullable = (column: string) =>
  `alter table job_queue alter column ${column} drop not null; update job_queue set ${column} = null ${oneRow}`

const rows: Record<string, Case> = {
  'job-type-empty': {
    shape: 'no-tenant',
    broken: `update job_queue set job_type = '' ${oneRow}`,
    says: [/^1 job with an empty job_type$/],
  },
  'job-type-null': { shape: 'workspace-id', broken: nullable('job_type'), says: [/1 job without job_type/] },
  'payload-null': { shape: 'collection-node-id', broken: nullable('payload'), says: [/1 job without payload/] },
  'status-null': { shape: 'no-tenant', broken: nullable('status'), says: [/1 job without status/] },
  'priority-null': { shape: 'no-tenant', broken: 'update job_queue set priority = null', says: [/9 jobs without priority/] },
  'attempts-null': { shape: 'no-tenant', broken: nullable('attempts'), says: [/1 job without attempts/] },
  'max-attempts-null': { shape: 'no-tenant', broken: nullable('max_attempts'), says: [/1 job without max_attempts/] },
  'created-at-null': { shape: 'no-tenant', broken: nullable('created_at'), says: [/1 job without created_at/] },
  'scheduled-for-null': { shape: 'no-tenant', broken: nullable('scheduled_for'), says: [/1 job without scheduled_for/] },
  'priority-range': {
    shape: 'no-tenant',
    broken: `update job_queue set priority = 40000 ${oneRow}`,
    says: [/priority outside -32768 to 32767/],
  },
  'attempts-range': {
    shape: 'workspace-id',
    broken: `update job_queue set attempts = -1 ${oneRow}`,
    says: [/attempts outside 0 to 32767/],
  },
  'max-attempts-range': {
    shape: 'collection-node-id',
    broken: `update job_queue set max_attempts = 0 ${oneRow}`,
    says: [/max_attempts outside 1/],
  },
  'payload-large': {
    shape: 'no-tenant',
    broken: large('payload', 129, 1),
    says: [/1 job not finished, with a payload of more than 128 KiB/],
  },
  'result-large': { shape: 'no-tenant', broken: large('result', 513, 5), says: [/1 job not finished, with a result of more than 512 KiB/] },
  'status-unknown': {
    shape: 'no-tenant',
    broken: `begin; alter type job_status add value 'paused'; commit; update job_queue set status = 'paused' ${oneRow}`,
    says: [/1 job with a status other than pending, running, completed, error, retry, cancelled/],
  },
}

const tenants: Record<string, Case> = {
  'tenant-unnamed': { shape: 'no-tenant', unnamed: true, broken: '', says: [/9 jobs without a collection/], cure: '' },
  'collection-missing': {
    shape: 'no-tenant',
    broken: `create table nodes (id uuid primary key, kind text, title text, metadata jsonb not null default '{}');
             insert into nodes (id, kind) values (gen_random_uuid(), 'collection')`,
    says: [new RegExp(`there is no node ${named} to give 9 jobs to`)],
    cure: `insert into nodes (id, kind) values ('${named}', 'collection')`,
  },
  'tenant-lost (workspace)': {
    shape: 'workspace-id',
    broken: `alter table job_queue drop constraint job_queue_workspace_id_fkey;
             delete from workspaces where name = 'Havnepodden'`,
    says: [/5 jobs of a tenant that is gone: aaaaaaaa-0000-4000-8000-000000000002/],
    cure: `insert into workspaces (id, name) values ('aaaaaaaa-0000-4000-8000-000000000002', 'Havnepodden')`,
  },
  'tenant-lost (node)': {
    shape: 'collection-node-id',
    broken: 'alter table job_queue drop constraint job_queue_collection_node_id_fkey; delete from nodes',
    says: [/9 jobs of 2 tenants that are gone: aaaaaaaa-/],
    cure: 'delete from job_queue',
  },
  'tenant-ambiguous': {
    shape: 'collection-node-id',
    broken: `alter table job_queue add column workspace_id uuid; ${nullable('collection_node_id')}`,
    says: [/1 job without collection_node_id, and whether workspace_id says it cannot be known/],
    cure: `update job_queue set collection_node_id = (select id from nodes limit 1) where collection_node_id is null`,
  },
  'tenant-key': {
    shape: 'workspace-id',
    broken: nullable('workspace_id'),
    says: [/1 job without a workspace, and job_queue_workspace_id_fkey forbids a collection that is none/],
  },
  'tenant-type': {
    shape: 'workspace-id',
    broken: `alter table job_queue drop constraint job_queue_workspace_id_fkey, alter column workspace_id type text`,
    says: [/job_queue.workspace_id is text, and a collection is known by a uuid/],
    cure: `alter table job_queue alter column workspace_id type uuid using workspace_id::uuid`,
  },
  'workspaces-id': {
    shape: 'workspace-id',
    broken: `alter table job_queue drop constraint job_queue_workspace_id_fkey; alter table workspaces alter column id drop default, alter column id type text`,
    says: [/workspaces.id is text/],
    cure: 'alter table workspaces alter column id type uuid using id::uuid',
  },
}

const hosts: Record<string, Case> = {
  'nodes-not-a-table': {
    shape: 'no-tenant',
    broken: 'create view nodes as select gen_random_uuid() as id',
    says: [/nodes is not a table/],
    cure: 'drop view nodes',
  },
  'nodes-id': {
    shape: 'no-tenant',
    broken: 'create table nodes (id bigint primary key)',
    says: [/nodes.id is bigint/],
    cure: 'drop table nodes',
  },
  'nodes-id-not-key': {
    shape: 'no-tenant',
    broken: `create table nodes (id uuid not null, kind text, title text, metadata jsonb); insert into nodes (id) values ('${named}')`,
    says: [/nodes.id is not a key/],
  },
  'nodes-columns': {
    shape: 'workspace-id',
    broken: `create type node_kind as enum ('episode'); create table nodes (id uuid primary key, kind node_kind, metadata jsonb, owner uuid not null)`,
    says: [/kind is missing or of another type.*title is missing.*nobody knows what to put into owner/],
    cure: 'insert into nodes (id, owner) select id, id from workspaces',
  },
}

const forms: Record<string, Case> = {
  'queue-not-a-table': {
    shape: 'no-tenant',
    broken: 'alter table job_queue rename to jobs; create view job_queue as select * from jobs',
    says: [/job_queue is not an ordinary table/],
    cure: 'drop view job_queue; alter table jobs rename to job_queue',
  },
  'queue-elsewhere': {
    shape: 'no-tenant',
    broken: `create schema app; alter table job_queue set schema app; alter type job_status set schema app;
             do $$ begin execute format('alter database %I set search_path = public, app', current_database()); end $$`,
    says: [/job_queue lies in the schema app, but migrations make their tables in public/],
    cure: `do $$ begin execute format('alter database %I set search_path = app', current_database()); end $$`,
  },
  'queue-unlogged': { shape: 'no-tenant', broken: 'alter table job_queue set unlogged', says: [/job_queue is unlogged/] },
  'column-missing': { shape: 'no-tenant', broken: 'alter table job_queue drop column result', says: [/job_queue has no column result/] },
  'column-type': {
    shape: 'workspace-id',
    broken: 'alter table job_queue alter column payload type json, alter column started_at type timestamp',
    says: [/job_queue.payload is json; jsonb can be taken over/, /job_queue.started_at is timestamp without time zone/],
  },
  'column-taken': {
    shape: 'collection-node-id',
    broken: 'alter table job_queue add column progress integer',
    says: [/job_queue has a column progress of its own/],
  },
  'column-required': {
    shape: 'collection-node-id',
    broken: `alter table job_queue add column server text not null default 'a'; alter table job_queue alter column server drop default`,
    says: [/job_queue.server must be given for every job/],
  },
  'column-in-use': {
    shape: 'no-tenant',
    broken: 'create view busy as select id, priority from job_queue',
    says: [/the type of priority, attempts, max_attempts has to change, which rule "_RETURN" on public.busy forbids/],
    cure: 'drop view busy',
  },
  'id-not-key': { shape: 'no-tenant', broken: 'alter table job_queue drop constraint job_queue_pkey', says: [/job_queue.id is not a key/] },
  'status-not-enum': {
    shape: 'no-tenant',
    broken: `drop index idx_job_queue_pending;
             alter table job_queue alter column status drop default, alter column status type text, alter column status set default 'pending',
               add check (status in ('pending', 'running', 'completed', 'error', 'retry'));
             drop type job_status;
             create index idx_job_queue_pending on job_queue (priority) where status in ('pending', 'retry')`,
    says: [/job_queue.status is text, not the enum job_status/],
  },
  'status-type-name': {
    shape: 'workspace-id',
    broken: 'alter type job_status rename to queue_status',
    says: [/is public.queue_status, and must be public.job_status/],
  },
  'status-label-missing': {
    shape: 'no-tenant',
    broken: `update job_queue set status = 'pending' where status = 'retry'; alter type job_status rename value 'retry' to 'again'`,
    says: [/job_status has no retry/],
  },
  'name-taken': {
    shape: 'no-tenant',
    broken: 'create table job_attempts (id int)',
    says: [/something called job_attempts already/],
    cure: 'drop table job_attempts',
  },
  'constraint-taken': {
    shape: 'no-tenant',
    broken: 'alter table job_queue add constraint job_queue_attempts_check check (attempts < 100)',
    says: [/the constraint job_queue_attempts_check means something else here: CHECK \(\(attempts < 100\)\)/],
  },
}

describe.each([
  ['rows', rows],
  ['tenants', tenants],
  ['the host’s tables', hosts],
  ['the table’s form', forms],
])('what cannot be adopted is said, in %s', (_part, cases) => {
  let database: LegacyDatabase
  afterEach(() => database.drop())

  test.each(Object.entries(cases))('%s', async (name, { shape, broken, says, cure, unnamed }) => {
    database = await createLegacyDatabase(shape)
    await database.query(broken)
    const adopt = unnamed ? {} : { collectionNodeId: named }
    const before = await database.query(fingerprint)

    const problems = await dryRun(database, adopt)
    const rule = name.replace(/ \(.*/, '')
    expect(problems.map((problem) => problem.rule)).toEqual(says.map(() => rule))
    for (const [index, pattern] of says.entries()) expect(problems[index]?.message).toMatch(pattern)
    await expect(database.withPool((pool) => migrate(pool, { adopt }))).rejects.toMatchObject({
      code: 'ADOPTION_IMPOSSIBLE',
      message: expect.stringContaining(problems[0]?.message ?? '?'),
    })
    expect(await database.query(fingerprint)).toEqual(before)

    // The remedy is one: what it says makes the queue adoptable.
    for (const { sql } of problems) await database.query(cure ?? sql ?? 'no statement')
    const { applied } = await database.withPool((pool) => migrate(pool, { adopt: { collectionNodeId: named } }))
    expect(applied).toContain('queue/adopt/0017_statistics')
  })
})

async function dryRun(database: LegacyDatabase, adopt: { collectionNodeId?: string }): Promise<AdoptionProblem[]> {
  const { adoption, applied } = await database.withPool((pool) => migrate(pool, { adopt: { ...adopt, dryRun: true } }))
  expect(applied).toEqual([])
  return adoption?.problems ?? []
}
