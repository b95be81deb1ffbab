import { Kysely, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import { type KyselyLike, type Queryable, runQuery } from '../../database/queryable.ts'
import type { QueueConnection } from '../../database/queue-connection.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { type OpenDatabase, poolBehind } from './open-database.ts'

/** A Kysely instance, for whatever tables it is typed. */
export interface KyselyInstance extends KyselyLike {
  readonly isTransaction: boolean
  transaction(): object
  withoutPlugins(): KyselyLike
}

/** What can open a transaction beside others: a test database, a Kysely instance or a `pg` pool. */
export type Connections = OpenDatabase | Pool | KyselyInstance

/** The caller's connections as a worker has its own. */
export interface WorkerConnections {
  queue: QueueConnection
  writer: Kysely<unknown>
}

/**
 * Without the plugins of the caller's Kysely: a worker's connections have none either.
 * @param where who asks, for messages: `drain`.
 * @throws ConfigurationError `TEST_CONNECTION_SINGLE`
 */
export function workerConnections(db: Connections, where: string): WorkerConnections {
  const writer = openWriter(db)
  if (writer === undefined) {
    throw new ConfigurationError(
      'TEST_CONNECTION_SINGLE',
      `${where}: expected a test database, a Kysely instance or a pg pool, got a transaction or a single client. What a handler writes needs a transaction of its own.`,
    )
  }
  const queryable: Queryable = writer
  return { queue: { run: (query) => runQuery(queryable, query), close: async () => {} }, writer }
}

function openWriter(db: Connections): Kysely<unknown> | undefined {
  if ('executeQuery' in db) return db.isTransaction ? undefined : (db.withoutPlugins() as Kysely<unknown>)
  const pool = poolBehind(db)
  // Never destroyed: that would end the caller's pool.
  return pool && new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}
