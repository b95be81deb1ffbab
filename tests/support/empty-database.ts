import { createTestDatabase } from '@sidelinja/jobs-core/testing'
import pg from 'pg'

export interface EmptyDatabase {
  pool: pg.Pool
  /** Runs a statement on a connection that is closed when this returns. */
  query(text: string): Promise<void>
  drop(): Promise<void>
}

/** A database without anything in it. */
export async function emptyDatabase(server: string): Promise<EmptyDatabase> {
  const { connectionString, pool, drop } = await createTestDatabase({ connectionString: server })
  return { pool, query: (text) => run(connectionString, text), drop }
}

async function run(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  await client.query(text).finally(() => client.end())
}
