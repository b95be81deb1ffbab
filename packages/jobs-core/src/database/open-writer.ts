import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/** Connections for settles with a `write`: as the server sets them up, because the statements in them are not the queue's. */
export function openWriter(config: pg.PoolConfig, size: number): Kysely<unknown> {
  const pool = new pg.Pool({
    ...config,
    max: size,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'sidelinja-jobs write',
  })
  pool.on('error', () => {})
  // A backend that is terminated while its client is checked out would otherwise end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}
