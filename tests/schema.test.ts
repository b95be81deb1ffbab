import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type MigrationSource, migrate, queueMigrations, roleMigrations } from '@sidelinja/jobs-core/admin'
import { createTestDatabase, type TestDatabase } from '@sidelinja/jobs-core/testing'
import { handlerMigrations, handlerRoleMigrations } from '@sidelinja/jobs-kit/storage'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { missingPostgres15, type Server, startPostgres15 } from './setup/postgres-15.ts'
import { readSchema, type SchemaSnapshot } from './support/catalogue.ts'
import { differences } from './support/differences.ts'
import { type EmptyDatabase, emptyDatabase } from './support/empty-database.ts'
import { readSecurity, unsecured } from './support/security.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { readText } from './support/workspace.ts'

const snapshot = '../migrations/schema.snapshot.json'
const securitySnapshot = '../migrations/security.snapshot.json'
const sources = [queueMigrations, handlerMigrations]
const withRoles = [...sources, roleMigrations, handlerRoleMigrations]
const missing = missingPostgres15()

describe.each([
  ['the server of this run', async (): Promise<Server> => ({ ...inject('server'), stop: async () => {} }), undefined],
  ['PostgreSQL 15', startPostgres15, missing],
])('schema on %s', (_name, start, notHere) => {
  let server: Server | undefined
  let schema: SchemaSnapshot | undefined
  beforeAll(async () => {
    if (notHere) return
    server = await start()
    schema = await on(async ({ pool }) => {
      await migrate(pool, { sources })
      return readSchema(pool)
    })
  })
  afterAll(() => server?.stop())
  const on = async <T>(use: (database: EmptyDatabase) => Promise<T>) => {
    const database = await emptyDatabase(server?.connectionString ?? '')
    return use(database).finally(() => database.drop())
  }

  // A new migration changes it: `npm run schema:update` writes the file anew, and the difference is read in review.
  test.skipIf(notHere)('is what migrations/schema.snapshot.json says', async () => {
    expect(Object.keys(schema?.tables ?? {})).toContain('job_queue')
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(snapshot)
  })

  test.skipIf(notHere)('with roles lets each of them do what migrations/security.snapshot.json says', () =>
    on(async ({ pool }) => {
      await migrate(pool, { sources: withRoles })
      const security = await readSecurity(pool)
      expect(unsecured(security), unsecured(security).join('\n')).toEqual([])
      await expect(`${JSON.stringify(security, null, 2)}\n`).toMatchFileSnapshot(securitySnapshot)
    }),
  )

  test.skipIf(notHere)('a table and a function that no migration of roles has secured are named, with what to do', () =>
    on(async ({ pool, query }) => {
      await migrate(pool, { sources: withRoles })
      await query('create table job_later (id bigint); create function look_later() returns bigint language sql begin atomic select 1; end')
      expect(unsecured(await readSecurity(pool))).toEqual([
        expect.stringMatching(/Row-level security is not on for job_later.*migrations\/roles.*secure_queue_table\('job_later'\)/),
        expect.stringMatching(/Everybody may call look_later\(\).*migrations\/roles.*revoke all on function look_later\(\) from public/),
      ])
    }),
  )

  // Roles came after queue/0004, 0008 to 0011 and handlers/0005. What was added later must reach databases that had them already.
  test.skipIf(notHere)('is the same, with the same rights, where roles came before later migrations', () =>
    on(async ({ pool }) => {
      const early = [await upTo(queueMigrations, '0011', ['0005', '0006', '0007']), await upTo(handlerMigrations, '0005')]
      await migrate(pool, { sources: [...early, await upTo(roleMigrations, '0009'), await upTo(handlerRoleMigrations, '0001')] })
      await migrate(pool, { sources: withRoles })
      const upgraded = { ...(await readSchema(pool)), security: await readSecurity(pool) }
      await on(async (other) => {
        await migrate(other.pool, { sources: withRoles })
        expect(differences({ ...(await readSchema(other.pool)), security: await readSecurity(other.pool) }, upgraded)).toEqual([])
      })
    }),
  )

  test.skipIf(notHere)('reaches a database whose host owns its nodes, by a login that may only migrate', () =>
    on(async ({ pool, query }) => {
      const early = [await upTo(queueMigrations, '0018'), await upTo(roleMigrations, '0016')]
      await migrate(pool, { sources: early })
      const [host, deploy] = [`host_${Date.now()}`, `deploy_${Date.now()}`]
      await query(`create role ${host}; create role ${deploy} login in role queue_migrator`)
      try {
        await query(`alter table nodes owner to ${host}; alter table edges owner to ${host}; alter table node_access owner to ${host}`)
        await query(`grant select on node_access to queue_migrator`)
        const url = Object.assign(new URL(pool.options.connectionString ?? ''), { username: deploy })
        const deploying = new pg.Pool({ connectionString: url.toString(), max: 1 })
        await migrate(deploying, { sources: [queueMigrations, roleMigrations] }).finally(() => deploying.end())
        // Titles are the host's to show.
        const asked = `set role queue_web; select set_config('app.user_id', '5a1de11a-0000-4000-8000-000000000001', false); select title from job_user_access()`
        await query(asked)
      } finally {
        await query(`reassign owned by ${host}, ${deploy} to current_user; drop owned by ${host}, ${deploy}; drop role ${host}, ${deploy}`)
      }
    }),
  )

  test.skipIf(notHere)('is what it was where roles were taken away again, as docs/operations.md has it', () =>
    on(async ({ pool, query }) => {
      await migrate(pool, { sources })
      const before = { ...(await readSchema(pool)), security: await readSecurity(pool) }
      await migrate(pool, { sources: withRoles })
      const block = /<!-- tested: roles away -->\n```sql\n([^`]*)```/.exec(readText('docs/operations.md'))?.[1]
      await query(block ?? '')
      expect(differences(before, { ...(await readSchema(pool)), security: await readSecurity(pool) })).toEqual([])
      expect((await migrate(pool, { sources: withRoles })).applied).toContain('handler-roles/0001_podcast_statistics')
    }),
  )

  // Besides the order of columns, which the comparison does not see.
  test.skipIf(notHere).each([
    ['no-tenant', []],
    ['workspace-id', ['tables.workspaces: only adopted']],
    [
      'collection-node-id',
      [
        'tables.edges.triggers.suggest_edges: only new',
        'tables.job_queue.columns.notes: only adopted',
        "tables.job_queue.columns.payload: jsonb not null → jsonb not null default '{}'::jsonb",
        'tables.job_queue.columns.requested_by: only adopted',
        'tables.nodes.columns.kind: text not null → character varying(40) not null',
        'tables.nodes.columns.slug: only adopted',
        'tables.nodes.columns.visibility: only adopted',
        'tables.nodes.constraints.nodes_slug_key: only adopted',
        'tables.nodes.indexes.nodes_slug_key: only adopted',
        // A host's own tables get no triggers: select suggest_edges_on().
        'tables.nodes.triggers.suggest_edges: only new',
      ],
    ],
  ])('of a queue adopted from the shape %s differs only in what the host had', (shape, expected) =>
    on(async ({ pool, query }) => {
      await query(readText(`packages/jobs-core/test/adopt/fixtures/${shape}.sql`))
      await migrate(pool, { sources, adopt: {} })
      // Not with the file: while that is written anew it still holds what was.
      expect(differences(schema, await readSchema(pool))).toEqual(expected)
    }),
  )
})

if (missing) console.log(`not run: 9 tests, needs ${missing}`)

describe('the schema’s reader', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase(inject('server'))
  })
  afterAll(() => database.drop())

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

/** The source as it was when this was its newest file, and these were not there yet. */
async function upTo({ name, folder }: MigrationSource, newest: string, later: readonly string[] = []): Promise<MigrationSource> {
  const copy = await temporaryFolder()
  const files = await readdir(folder)
  await Promise.all(
    files
      .filter((file) => file.endsWith('.sql') && file.slice(0, 4) <= newest && !later.includes(file.slice(0, 4)))
      .map((file) => cp(new URL(file, folder), join(copy, file))),
  )
  return { name, folder: pathToFileURL(`${copy}/`) }
}
