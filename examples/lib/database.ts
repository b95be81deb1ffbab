import { migrate, type QueueDatabase } from '@sidelinja/jobs-core/admin'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/**
 * What every example begins with: a connection, a migrated database and a collection for the jobs to belong to. An application has
 * the first and the last already, and runs the second when it is deployed.
 */
export async function openExample() {
  const connectionString = process.argv[2]
  if (!connectionString) throw new Error('Say which database: examples/<name>.ts postgres://user:password@host/database')
  const pool = new pg.Pool({ connectionString })
  await migrate(pool)
  const { rows } = await pool.query<{ id: string }>(`insert into nodes (kind, title) values ('collection', 'An example') returning id`)
  const db = new Kysely<QueueDatabase>({ dialect: new PostgresDialect({ pool }) })
  return { connectionString, pool, db, collectionNodeId: rows[0]?.id ?? '' }
}
