import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { surviveDisconnects } from '../../database/survive-disconnects.ts'
import type { QueueDatabase } from '../../database/tables.ts'
import { prepareStatements } from './prepare-statements.ts'

/** How the page reaches the database: on connections of its own, so that it never takes those of the host application. */
export interface AdminDatabaseOptions {
  /** A connection string, or the options of `pg`: as a login that is a member of queue_web. */
  connection: string | pg.ClientConfig
  /** How many connections at most. Default 4. */
  max?: number
}

/** The connections of an admin page, and how to make one more to listen on. */
export interface AdminDatabase {
  readonly db: Kysely<QueueDatabase>
  /** What a further connection is made with. */
  readonly config: pg.ClientConfig
  close(): Promise<void>
}

/**
 * Opens a small pool for an admin page, as a login that is a member of queue_web. No connection is made before it is needed, and none that
 * breaks ends the process. Whoever waits for a connection waits ten seconds at most.
 */
export function openAdminDatabase({ connection, max = 4 }: AdminDatabaseOptions): AdminDatabase {
  const config = typeof connection === 'string' ? { connectionString: connection } : connection
  const pool = surviveDisconnects(
    new pg.Pool({
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      application_name: 'sidelinja-jobs admin',
      ...config,
      max,
      onConnect: prepareStatements,
    }),
  )
  return { db: new Kysely<QueueDatabase>({ dialect: new PostgresDialect({ pool }) }), config, close: () => pool.end() }
}
