import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { surviveDisconnects } from '../../database/survive-disconnects.ts'
import type { QueueDatabase } from '../../database/tables.ts'

/** Ways into one database. It can itself be passed wherever a `db` is asked for. */
export interface OpenDatabase {
  connectionString: string
  pool: pg.Pool
  /** Typed for the queue's own tables; `db.withTables<MyTables>()` adds yours. */
  db: Kysely<QueueDatabase>
  /** Runs a statement on the pool. */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

/** Where a Kysely that was made here keeps its pool: waiting by signal needs a connection of its own, and Kysely does not give one. */
const poolKey = Symbol.for('@sidelinja/jobs-core/testing/pool')

/** Ends the pool. Kysely alone would not: it leaves one that it has never used. */
export async function closeDatabase({ db, pool }: OpenDatabase): Promise<void> {
  await db.destroy()
  if (!pool.ending) await pool.end()
}

export function openDatabase(connectionString: string): OpenDatabase {
  const pool = surviveDisconnects(new pg.Pool({ connectionString, max: 10 }))
  const db = new Kysely<QueueDatabase>({ dialect: new PostgresDialect({ pool }) })
  Object.defineProperty(db, poolKey, { value: pool })
  return { connectionString, pool, db, query: (text, values) => pool.query(text, values) }
}

/** The `pg` pool behind what a helper was given; undefined for a single client, and for a Kysely that was made elsewhere. */
export function poolBehind(db: object): pg.Pool | undefined {
  if (isPool(db)) return db
  const inside = Reflect.get(db, 'pool') ?? Reflect.get(db, poolKey)
  return typeof inside === 'object' && inside !== null && isPool(inside) ? inside : undefined
}

/** By its shape: the application may have another copy of `pg`. */
function isPool(value: object): value is pg.Pool {
  return 'totalCount' in value && 'options' in value && 'connect' in value
}
