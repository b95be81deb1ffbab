import { type MigrationSource, migrate, migrationStatus, queueMigrations } from '@sidelinja/jobs-core/admin'
import { handlerMigrations } from '@sidelinja/jobs-kit/storage'
import pg from 'pg'
import { explainConnectionError } from './explain-connection-error.ts'

export type Print = (line: string) => void

const CONNECT_TIMEOUT_MS = 10_000
const sources: readonly MigrationSource[] = [queueMigrations, handlerMigrations]

/** `migrate`: applies what is missing and names it. */
export function runMigrate(connectionString: string, print: Print): Promise<void> {
  return withPool(connectionString, async (pool) => {
    const { applied } = await migrate(pool, { sources, onApplied: (name) => print(`applied ${name}`) })
    print(applied.length === 0 ? 'Nothing to apply: the database is up to date.' : 'The database is up to date.')
  })
}

/** `migrate status`: one line a migration. Changes nothing. */
export function runMigrateStatus(connectionString: string, print: Print): Promise<void> {
  return withPool(connectionString, async (pool) => {
    for (const { name, applied } of await migrationStatus(pool, { sources })) print(`${applied ? 'applied' : 'missing'} ${name}`)
  })
}

async function withPool(connectionString: string, use: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sidelinja-worker migrate',
  })
  pool.on('error', () => {})
  try {
    await use(pool)
  } catch (error) {
    throw explainConnectionError(error)
  } finally {
    await pool.end()
  }
}
