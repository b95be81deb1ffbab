import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { QueueDatabase } from '../database/tables.ts'

/** Which server the tests use, and the migrated database each of them copies. */
export interface TestServer {
  /** A connection string of a role that may create databases. */
  connectionString: string
  /** Name of a migrated database without connections. */
  template: string
}

/** A migrated database of one test's own. */
export interface TestDatabase {
  connectionString: string
  pool: pg.Pool
  db: Kysely<QueueDatabase>
  /** Closes the pool and removes the database. */
  drop(): Promise<void>
}

/** Makes a database of this test's own, as a copy of the server's template: about 50 ms. */
export async function createTestDatabase(server: TestServer): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name} template ${server.template}`)
  const connectionString = inDatabase(server.connectionString, name)
  const pool = new pg.Pool({ connectionString, max: 10 })
  pool.on('error', () => {})
  const db = new Kysely<QueueDatabase>({ dialect: new PostgresDialect({ pool }) })
  return {
    connectionString,
    pool,
    db,
    async drop() {
      await db.destroy()
      await administer(server, `drop database ${name} with (force)`)
    },
  }
}

/** The same server, another database. */
export function inDatabase(connectionString: string, database: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return url.toString()
}

async function administer(server: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
