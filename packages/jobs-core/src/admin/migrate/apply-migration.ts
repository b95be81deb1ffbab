import type { PoolClient } from 'pg'
import { sqlState } from '../../database/sql-state.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import type { Migration } from './read-migrations.ts'

const lockTimeout = '200ms'
const patientLockTimeout = '30s'
const lockRetries = 50
const lockRetryMs = 250
const lockNotAvailable = '55P03'
const internalError = 'XX000'
const insufficientPrivilege = '42501'

/**
 * Applies one file and records it. No statement waits for a lock longer than 200 ms that everybody else would queue up behind; a file that
 * could not have its lock is tried again, 50 times.
 */
export async function applyMigration(client: PoolClient, migration: Migration): Promise<void> {
  try {
    if (migration.transactional) await applyTogether(client, [migration])
    else await retryLocks(() => applyAlone(client, migration))
  } catch (error) {
    throw sqlState(error) === insufficientPrivilege ? forbidden(migration, error) : error
  }
}

/** A file says in its hint what to do, where it knows. */
function forbidden({ name }: Migration, cause: unknown): ConfigurationError {
  const { message, hint = 'Migrate as the role that owns the tables, or as a superuser.' } = cause as { message: string; hint?: string }
  return new ConfigurationError('MIGRATION_FORBIDDEN', `PostgreSQL refuses migration ${name}: ${message}. ${hint}`, { cause })
}

/**
 * Applies files in one transaction, all or none, and records each.
 * @param settings PostgreSQL settings that hold for this transaction, by name.
 */
export async function applyTogether(
  client: PoolClient,
  migrations: readonly Migration[],
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  await retryLocks(() => applyInTransaction(client, migrations, settings))
}

async function retryLocks(apply: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await apply()
      return
    } catch (error) {
      if (!isPassing(error) || attempt > lockRetries) throw error
      await new Promise((resolve) => setTimeout(resolve, lockRetryMs))
    }
  }
}

/** Somebody held a lock, or another database of the server changed the same role at the same moment: roles are all databases', and this lock is not. */
function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  return state === lockNotAvailable || (state === internalError && /tuple concurrently (?:updated|deleted)/.test((error as Error).message))
}

async function applyInTransaction(client: PoolClient, migrations: readonly Migration[], settings: Record<string, string>): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`select set_config('lock_timeout', '${lockTimeout}', true), ${functionPath('true')}`)
    for (const [name, value] of Object.entries(settings)) await client.query('select set_config($1, $2, true)', [name, value])
    for (const migration of migrations) {
      await client.query(migration.sql)
      await recordMigration(client, migration)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function applyAlone(client: PoolClient, migration: Migration): Promise<void> {
  // What runs outside a transaction takes long, and nobody waits behind it: its locks let others read and write.
  await client.query(`select set_config('lock_timeout', '${patientLockTimeout}', false), set_config('statement_timeout', '0', false)`)
  try {
    await dropBrokenIndex(client, migration.sql)
    await client.query(migration.sql)
    await recordMigration(client, migration)
  } finally {
    await client.query('reset lock_timeout; reset statement_timeout').catch(() => {})
  }
}

/** An index whose building was cut off stays behind, invalid; `if not exists` would take it for a whole one. */
async function dropBrokenIndex(client: PoolClient, statement: string): Promise<void> {
  const name = /create (?:unique )?index concurrently if not exists (\w+)/.exec(statement)?.[1]
  if (name === undefined) return
  const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [name])
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`)
}

/** Functions made by a migration keep this path (`set search_path from current`): no temporary table can stand in for ours. */
function functionPath(isLocal: string): string {
  return `set_config('search_path', quote_ident(current_schema()) || ', pg_temp', ${isLocal})`
}

/** Writes down that a file was applied. */
export async function recordMigration(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('insert into job_migrations (name, checksum) values ($1, $2)', [migration.name, migration.checksum])
}
