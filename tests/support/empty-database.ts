import { randomUUID } from 'node:crypto'
import { inDatabase } from '@sidelinja/jobs-core/testing'
import pg from 'pg'

export interface EmptyDatabase {
  pool: pg.Pool
  /** Runs a statement on a connection that is closed when this returns. */
  query(text: string): Promise<void>
  drop(): Promise<void>
}

/** A database without anything in it. */
export async function emptyDatabase(server: string): Promise<EmptyDatabase> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${name}`)
  const connectionString = inDatabase(server, name)
  const pool = new pg.Pool({ connectionString, max: 2 })
  pool.on('error', () => {})
  return {
    pool,
    query: (text) => run(connectionString, text),
    async drop() {
      await pool.end()
      await run(server, `drop database ${name} with (force)`)
    },
  }
}

async function run(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  await client.query(text).finally(() => client.end())
}
