import { randomBytes } from 'node:crypto'
import type pg from 'pg'

const LOGIN = 'sidelinja_page'

/** The admin page's login on the embedded server, as docs/operations.md has an administrator make it; returns how it connects. */
export async function makePageLogin(pool: pg.Pool, connectionString: string): Promise<string> {
  const password = randomBytes(18).toString('base64url')
  const { rowCount } = await pool.query('select from pg_roles where rolname = $1', [LOGIN])
  if (rowCount === 0) await pool.query(`create role ${LOGIN} login in role queue_web`)
  await pool.query(
    `alter role ${LOGIN} password '${password}'; grant select on node_access to ${LOGIN}; grant select, insert on nodes, edges to ${LOGIN}`,
  )
  return Object.assign(new URL(connectionString), { username: LOGIN, password }).toString()
}
