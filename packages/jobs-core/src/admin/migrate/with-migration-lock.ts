import type { PoolClient } from 'pg'

const retryMs = 100

/**
 * Runs `fn` while no other migrator runs in this database. It tries the lock again and again instead of waiting in it: a session
 * that waits holds a snapshot, which CREATE INDEX CONCURRENTLY would wait for in turn.
 */
export async function withMigrationLock<T>(client: PoolClient, fn: () => Promise<T>): Promise<T> {
  while (!(await tryLock(client))) await new Promise((resolve) => setTimeout(resolve, retryMs))
  try {
    return await fn()
  } finally {
    // When the connection is gone the lock is gone with it, and what happened before is what must be told.
    await client.query(`select pg_advisory_unlock(hashtext('job_migrations'))`).catch(() => {})
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(hashtext('job_migrations')) as locked`)
  return rows[0]?.locked === true
}
