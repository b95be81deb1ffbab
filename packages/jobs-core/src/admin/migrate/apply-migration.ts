import type { PoolClient } from 'pg'
import { sqlState } from '../../database/sql-state.ts'
import type { Migration } from './read-migrations.ts'

const lockTimeout = '200ms'
const lockRetries = 50
const lockRetryMs = 250
const lockNotAvailable = '55P03'

/**
 * Applies one file and records it. No statement waits for a table's lock longer than 200 ms, because everybody else would queue
 * up behind it; a file that could not have its lock is tried again, 50 times.
 */
export async function applyMigration(client: PoolClient, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await (migration.transactional ? applyInTransaction(client, migration) : applyAlone(client, migration))
      return
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || attempt > lockRetries) throw error
      await new Promise((resolve) => setTimeout(resolve, lockRetryMs))
    }
  }
}

async function applyInTransaction(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`select set_config('lock_timeout', '${lockTimeout}', true), ${functionPath('true')}`)
    await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function applyAlone(client: PoolClient, migration: Migration): Promise<void> {
  await client.query(`select set_config('lock_timeout', '${lockTimeout}', false)`)
  try {
    await client.query(migration.sql)
    await record(client, migration)
  } finally {
    await client.query('reset lock_timeout')
  }
}

/** Functions made by a migration keep this path (`set search_path from current`): no temporary table can stand in for ours. */
function functionPath(isLocal: string): string {
  return `set_config('search_path', quote_ident(current_schema()) || ', pg_temp', ${isLocal})`
}

async function record(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('insert into job_migrations (name, checksum) values ($1, $2)', [migration.name, migration.checksum])
}
