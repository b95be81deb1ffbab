import type { Pool } from 'pg'

export interface HeldTransaction {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  commit(): Promise<void>
  rollback(): Promise<void>
}

/** Opens a transaction on a connection of its own, runs `text` in it and keeps it open. */
export async function holdTransaction(pool: Pool, text: string, values: unknown[] = []): Promise<HeldTransaction> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(text, values)
  const end = async (how: 'commit' | 'rollback') => {
    await client.query(how)
    client.release()
  }
  return {
    query: (more, moreValues) => client.query(more, moreValues),
    commit: () => end('commit'),
    rollback: () => end('rollback'),
  }
}

/** Resolves when so many sessions of this database wait for a lock. */
export async function untilSomebodyWaits(pool: Pool, count = 1): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await pool.query(waiting)).rows.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
}
