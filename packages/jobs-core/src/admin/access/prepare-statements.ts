import type pg from 'pg'
import { nameOfStatement } from '../../database/statement.ts'

type Query = (...given: unknown[]) => unknown

/**
 * Makes a connection prepare each of the queue's own statements once: a page that is polled would spend more on planning them than on running them. Other
 * statements go as they are. Behind a pooler nothing is prepared, since the next transaction may be in another session; a connection is its server's own when
 * the server calls itself what it was called as the connection was made.
 */
export async function prepareStatements(client: pg.ClientBase): Promise<void> {
  const { processID } = client as pg.ClientBase & { processID: number | null }
  const { rows } = await client.query<{ own: boolean }>('select pg_backend_pid() = $1 as own', [processID ?? 0])
  if (rows[0]?.own !== true) return
  const query = client.query.bind(client) as Query
  const named: Query = (...given) => {
    const [text, values] = given
    const name = typeof text === 'string' && given.length === 2 ? nameOfStatement(text) : undefined
    return name === undefined ? query(...given) : query({ name, text, values })
  }
  Object.assign(client, { query: named })
}
