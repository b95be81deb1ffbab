import type { Pool, PoolClient } from 'pg'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { applyMigration } from './apply-migration.ts'
import { type MigrationSource, queueMigrations } from './migration-source.ts'
import { planMigrations } from './plan-migrations.ts'
import { type Migration, readMigrations } from './read-migrations.ts'
import { withMigrationLock } from './with-migration-lock.ts'

/** What {@link migrate} may be given. */
export interface MigrateOptions {
  /** Which packages' SQL, in this order. Default: the queue's own. */
  sources?: readonly MigrationSource[]
  /** Called after each file that was applied. */
  onApplied?: (name: string) => void
}

/**
 * Brings the database's tables and functions up to date. Safe to run from many processes at once and again at any time; running
 * workers keep working. Needs a role that owns the schema and a connection of its own (not through a transaction pooler).
 * @returns the names of what was applied now.
 * @throws ConfigurationError `MIGRATION_EDITED`, `MIGRATION_NAME`, `MIGRATIONS_MISSING`, `QUEUE_NOT_OURS`, `SERVER_TOO_OLD`.
 */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const known = await readMigrations(options.sources ?? [queueMigrations])
  return withClient(pool, async (client) => {
    await checkServer(client)
    return withMigrationLock(client, async () => {
      const pending = planMigrations(known, await prepare(client))
      for (const migration of pending) {
        await applyMigration(client, migration)
        options.onApplied?.(migration.name)
      }
      return { applied: pending.map((migration) => migration.name) }
    })
  })
}

/** One migration, `source/0001_name`, and whether the database has it. */
export interface MigrationStatus {
  name: string
  applied: boolean
}

/** Which migrations of the sources the database has. Changes nothing. */
export async function migrationStatus(pool: Pool, options: Pick<MigrateOptions, 'sources'> = {}): Promise<MigrationStatus[]> {
  const known = await readMigrations(options.sources ?? [queueMigrations])
  return withClient(pool, async (client) => {
    const applied = await appliedMigrations(client)
    planMigrations(known, applied)
    return known.map((migration: Migration) => ({ name: migration.name, applied: applied.has(migration.name) }))
  })
}

async function prepare(client: PoolClient): Promise<ReadonlyMap<string, string>> {
  const applied = await appliedMigrations(client)
  if (applied.size === 0) {
    const { rows } = await client.query(`select to_regclass('job_queue') is not null as taken`)
    if (rows[0]?.taken) {
      throw new ConfigurationError(
        'QUEUE_NOT_OURS',
        'This database already has a table job_queue that these migrations did not make. Use an empty schema, or the release that can adopt an existing queue.',
      )
    }
  }
  await client.query(
    'create table if not exists job_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default clock_timestamp())',
  )
  return applied
}

async function appliedMigrations(client: PoolClient): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await client.query(`select to_regclass('job_migrations') is not null as present`)
  if (!tables[0]?.present) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from job_migrations')
  return new Map(rows.map((row) => [row.name, row.checksum]))
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
