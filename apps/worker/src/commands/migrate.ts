import {
  type Adoption,
  type AdoptOptions,
  describeConnected,
  type MigrationSource,
  migrate,
  migrationStatus,
  queueMigrations,
  roleMigrations,
} from '@sidelinja/jobs-core/admin'
import { surviveDisconnects } from '@sidelinja/jobs-core/worker'
import { compareHostTables, handlerMigrations, handlerRoleMigrations } from '@sidelinja/jobs-kit/storage'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { EXIT } from '../exit-codes.ts'
import { describeAdoption } from './describe-adoption.ts'
import { explainConnectionError } from './explain-connection-error.ts'

export type Print = (line: string) => void

const CONNECT_TIMEOUT_MS = 10_000
const ordinarySources: readonly MigrationSource[] = [queueMigrations, handlerMigrations]
const roleSources: readonly MigrationSource[] = [roleMigrations, handlerRoleMigrations]

export interface MigrateFlags {
  /** True: roles and row-level security as well. Without it, too, where the database has them already. */
  roles: boolean
  adopt?: AdoptOptions | undefined
}

/**
 * `migrate`: applies what is missing and names it. With `adopt` it first takes over a queue that was there before, or says what that
 * would mean.
 * @returns the exit code: `usage` when a dry run found that the queue cannot be taken over now.
 */
export function runMigrate(connectionString: string, print: Print, { roles, adopt }: MigrateFlags): Promise<number> {
  return withPool(connectionString, async (pool) => {
    const sources = await chooseSources(pool, roles)
    // Asked beforehand, so that it is said before anything changes.
    const differences = adopt ? await differencesOf(pool) : []
    if (!adopt?.dryRun) for (const line of differences) print(`note: ${line}`)
    const { applied, adoption } = await migrate(pool, {
      sources,
      onApplied: (name) => print(`applied ${name}`),
      ...(adopt && { adopt }),
    })
    if (adopt?.dryRun) return printPlan(adoption, { differences, force: adopt.force ?? false }, print)
    for (const note of adoption?.notes ?? []) print(`note: ${note}`)
    print(applied.length === 0 ? 'Nothing to apply: the database is up to date.' : 'The database is up to date.')
    return EXIT.ok
  })
}

interface PlanContext {
  differences: readonly string[]
  /** Programs that use the queue are no obstacle. */
  force: boolean
}

function printPlan(adoption: Adoption | undefined, { differences, force }: PlanContext, print: Print): number {
  if (!adoption) {
    print('There is nothing to adopt: no job_queue, or one that is ours already. See migrate status.')
    return EXIT.ok
  }
  for (const line of describeAdoption(adoption, differences)) print(line)
  const refused = adoption.problems.length > 0 || (!force && describeConnected(adoption).length > 0)
  return refused ? EXIT.usage : EXIT.ok
}

/** What handlers will miss in the host's tables; workers do not start before it is there. */
async function differencesOf(pool: pg.Pool): Promise<string[]> {
  const differences = await compareHostTables(new Kysely({ dialect: new PostgresDialect({ pool }) }))
  return differences.filter(({ absent }) => !absent).map(({ message }) => `Workers will not start before this is mended: ${message}.`)
}

/** `migrate status`: one line a migration. Changes nothing. */
export function runMigrateStatus(connectionString: string, print: Print, { roles }: MigrateFlags): Promise<void> {
  return withPool(connectionString, async (pool) => {
    const sources = await chooseSources(pool, roles)
    for (const { name, applied } of await migrationStatus(pool, { sources })) print(`${applied ? 'applied' : 'missing'} ${name}`)
  })
}

/** A database with roles needs those of new tables, too, or its workers could not use them. */
async function chooseSources(pool: pg.Pool, roles: boolean): Promise<readonly MigrationSource[]> {
  const installed = roles || (await migrationStatus(pool, { sources: roleSources })).some(({ applied }) => applied)
  return installed ? [...ordinarySources, ...roleSources] : ordinarySources
}

async function withPool<T>(connectionString: string, use: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = surviveDisconnects(
    new pg.Pool({
      connectionString,
      max: 1,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'sidelinja-worker migrate',
    }),
  )
  try {
    return await use(pool)
  } catch (error) {
    throw explainConnectionError(error)
  } finally {
    await pool.end()
  }
}
