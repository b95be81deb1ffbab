import type { Pool, PoolClient } from 'pg'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { finishAdoption, takeOver, unfinishedSteps } from '../adopt/adopt-queue.ts'
import type { Adoption, AdoptOptions } from '../adopt/adoption.ts'
import { planAdoption } from '../adopt/plan-adoption.ts'
import { refuseAdoption } from '../adopt/refuse-adoption.ts'
import { refuseQueueElsewhere } from '../adopt/refuse-queue-elsewhere.ts'
import { appliedMigrations, createMigrationTable, isQueueForeign } from './applied-migrations.ts'
import { applyMigration } from './apply-migration.ts'
import { type MigrationSource, queueMigrations } from './migration-source.ts'
import { planMigrations } from './plan-migrations.ts'
import { type Migration, readMigrations } from './read-migrations.ts'
import { refuseTransactionPooler } from './refuse-transaction-pooler.ts'
import { withMigrationLock } from './with-migration-lock.ts'

/** What {@link migrate} may be given. */
export interface MigrateOptions {
  /** Which packages' SQL, in this order. Default: the queue's own. */
  sources?: readonly MigrationSource[]
  /** Called after each file that was applied. */
  onApplied?: (name: string) => void
  /** How to take over a `job_queue` that was there before. Default: such a table is refused. Without one it changes nothing. */
  adopt?: AdoptOptions
}

/** What {@link migrate} did. */
export interface Migrated {
  /** Names of what was applied now, in order. */
  applied: string[]
  /** What adopting the queue meant, or would mean (`adopt.dryRun`); undefined when there was none to adopt. */
  adoption?: Adoption
}

/**
 * Brings the database's tables and functions up to date. Safe to run from many processes at once and again at any time; running
 * workers keep working. Needs a role that owns the schema and a connection of its own (not through a transaction pooler).
 * @throws ConfigurationError `MIGRATION_EDITED`, `MIGRATION_FORBIDDEN`, `MIGRATION_NAME`, `MIGRATIONS_MISSING`, `QUEUE_NOT_OURS`, `SERVER_TOO_OLD`,
 * `TRANSACTION_POOLER`; with `adopt` also `ADOPTION_IMPOSSIBLE`, `OLD_WORKER_CONNECTED`, `QUEUE_BUSY`, `ADOPTION_FAILED`.
 */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<Migrated> {
  const known = await readMigrations(options.sources ?? [queueMigrations])
  return withClient(pool, async (client) => {
    await refuseTransactionPooler(pool, client)
    await checkServer(client)
    return withMigrationLock(client, async () => {
      const adoption = await planForeignQueue(client, options.adopt)
      if (options.adopt?.dryRun) return { applied: [], ...adoption }
      return { applied: await applyAll(client, known, options, adoption?.adoption), ...adoption }
    })
  })
}

/** One migration, `source/0001_name`, and whether the database has it. */
export interface MigrationStatus {
  name: string
  applied: boolean
}

/** Which migrations of the sources the database has, and what an interrupted adoption still has to do. Changes nothing. */
export async function migrationStatus(pool: Pool, options: Pick<MigrateOptions, 'sources'> = {}): Promise<MigrationStatus[]> {
  const known = await readMigrations(options.sources ?? [queueMigrations])
  return withClient(pool, async (client) => {
    const applied = await appliedMigrations(client)
    planMigrations(known, applied)
    const unfinished = unfinishedSteps(applied).map((name) => ({ name, applied: false }))
    return [...known.map(({ name }) => ({ name, applied: applied.has(name) })), ...unfinished]
  })
}

async function planForeignQueue(client: PoolClient, adopt: AdoptOptions | undefined): Promise<{ adoption: Adoption } | undefined> {
  const applied = await appliedMigrations(client)
  if (!(await isQueueForeign(client, applied))) {
    if (adopt && applied.size === 0) await refuseQueueElsewhere(client)
    return undefined
  }
  if (adopt) return { adoption: await planAdoption(client, adopt, new Set(applied.keys())) }
  throw new ConfigurationError(
    'QUEUE_NOT_OURS',
    'This database already has a table job_queue that these migrations did not make. To take it over with all its jobs, see what that means first: sidelinja-worker migrate --adopt --dry-run. Or use an empty schema.',
  )
}

async function applyAll(
  client: PoolClient,
  known: readonly Migration[],
  { adopt, onApplied = () => {} }: MigrateOptions,
  adoption: Adoption | undefined,
): Promise<string[]> {
  if (adoption) refuseAdoption(adoption, adopt ?? {})
  await createMigrationTable(client)
  const names: string[] = []
  const done = (name: string) => {
    names.push(name)
    onApplied(name)
  }
  if (adoption) await takeOver(client, adoption, adopt ?? {}, done)
  for (const migration of planMigrations(known, await appliedMigrations(client))) {
    await applyMigration(client, migration)
    done(migration.name)
  }
  await finishAdoption(client, await appliedMigrations(client), done)
  return names
}

async function checkServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
  const version = rows[0]?.version ?? 0
  if (version < 150_000) {
    throw new ConfigurationError('SERVER_TOO_OLD', `PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`)
  }
}

async function withClient<T>(pool: Pool, fn: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // Without a listener of its own, a checked-out client whose backend is terminated ends the whole process.
  const ignore = () => {}
  client.on('error', ignore)
  try {
    return await fn(client)
  } finally {
    client.off('error', ignore)
    client.release()
  }
}
