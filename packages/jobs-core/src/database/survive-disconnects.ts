import type { Pool } from 'pg'

/**
 * Makes a `pg` pool outlive its connections. Without a listener of its own, a client whose connection breaks while it is checked out
 * ends the whole process; the pool's `error` event is only about idle ones. Returns the pool. Statements still fail as they should.
 */
export function surviveDisconnects(pool: Pool): Pool {
  const ignore = () => {}
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}
