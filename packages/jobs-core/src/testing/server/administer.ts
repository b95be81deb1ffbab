import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A backend whose client has just said goodbye needs a moment. */
const leavingMs = 100
const recheckMs = 5

/** Runs statements about databases, on a connection of their own. */
export async function administer<Row extends pg.QueryResultRow>(
  connectionString: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(connectionString, async (client) => (await client.query<Row>(statement, values)).rows)
}

/**
 * Removes a database, with whoever is still connected. But those that are just leaving are let go first: terminated, a pool that was
 * ended a moment ago would end the whole process with an error that nobody listens for.
 */
export async function dropDatabase(connectionString: string, name: string): Promise<void> {
  await withClient(connectionString, async (client) => {
    const deadline = performance.now() + leavingMs
    while (performance.now() < deadline && (await isUsed(client, name))) await sleep(recheckMs)
    await client.query(`drop database if exists ${name} with (force)`)
  })
}

async function isUsed(client: pg.Client, name: string): Promise<boolean> {
  return (await client.query('select from pg_stat_activity where datname = $1', [name])).rows.length > 0
}

async function withClient<Result>(connectionString: string, fn: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
export function inDatabase(connectionString: string, database: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return url.toString()
}
