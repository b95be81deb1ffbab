import pg from 'pg'
import type { NamedQuery } from './statement.ts'

/** The queue's own connections: they run the prepared statements of `queue/` and nothing else. */
export interface QueueConnection {
  run<Row>(query: NamedQuery<Row>): Promise<Row[]>
  close(): Promise<void>
}

/**
 * Plans are pinned to scans of an index in its own order: a plan made while the table was small would otherwise be kept when it has
 * millions of rows, and a claim must not sort everything that waits.
 * A settle that waits for somebody's lock gives up after a second, so that one locked row does not hold the worker.
 */
const settings = {
  application_name: 'sidelinja-jobs',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  lock_timeout: '1s',
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '30s',
}

/** Longer than the server lets a statement take: what has no answer then went to a connection that is dead without saying so. */
const defaultQueryTimeoutMs = 20_000

/** Opens nothing yet: connections are made when statements are run. */
export function openQueueConnection(config: pg.PoolConfig, size: number, { queryTimeoutMs = defaultQueryTimeoutMs } = {}): QueueConnection {
  const list = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
  const pool = new pg.Pool({
    ...config,
    max: size,
    keepAlive: true,
    connectionTimeoutMillis: Math.min(10_000, queryTimeoutMs),
    query_timeout: queryTimeoutMs,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: async (client) => {
      await client.query(`select ${list.join(', ')}`)
    },
  })
  pool.on('error', () => {})
  // A backend that is terminated while its client is checked out would otherwise end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    run: async <Row>(query: NamedQuery<Row>) =>
      (await pool.query({ name: query.name, text: query.text, values: query.values })).rows as Row[],
    close: () => pool.end(),
  }
}
