import pg from 'pg'
import { applicationName, planSettings } from './plan-settings.ts'
import type { Pooling } from './pooling.ts'
import { isConnectionLoss, sqlState } from './sql-state.ts'
import type { NamedQuery } from './statement.ts'
import { surviveDisconnects } from './survive-disconnects.ts'

/** A way to run the queue's statements. */
export interface Connections {
  run<Row>(query: NamedQuery<Row>): Promise<Row[]>
  close(): Promise<void>
}

/** Thrown, and nothing was run, when it turned out that there are no sessions to be had. */
export const noSession = new Error('The database is reached through a transaction pooler.')

/** Connections with the queue's settings and prepared statements: what both need is a session of the server's. */
export function openSessionConnections(config: pg.PoolConfig, pooling: Pooling): Connections {
  const pool = surviveDisconnects(new pg.Pool({ ...config, onConnect: (client) => prepareSession(client, pooling) }))
  return {
    async run<Row>({ name, text, values }: NamedQuery<Row>) {
      const client = await pool.connect()
      try {
        const { rows } = await client.query({ name, text, values })
        client.release()
        return rows as Row[]
      } catch (error) {
        client.release(isBroken(error))
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** Whether the connection an error came from is of no use any more, or may be: then it is closed. */
export function isBroken(error: unknown): boolean {
  return sqlState(error) === undefined || isConnectionLoss(error)
}

/**
 * Settings must not be left on a session that a pooler gives to somebody else afterwards. A connection is its server's own when the
 * server calls itself what it was called as the connection was made: poolers make that number up.
 */
async function prepareSession(client: pg.ClientBase, pooling: Pooling): Promise<void> {
  const settings = Object.entries({ application_name: applicationName, ...planSettings })
  const set = `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`
  const { processID } = client as pg.ClientBase & { processID: number | null }
  const { rows } = await client.query(`${set} where pg_backend_pid() = ${Number(processID)}`)
  if (rows.length > 0) return pooling.isDirect()
  if ((await pooling.discover()) === 'transaction') throw noSession
  await client.query(set)
}
