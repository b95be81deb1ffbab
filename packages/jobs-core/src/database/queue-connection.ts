import pg from 'pg'
import type { NamedQuery } from './statement.ts'

/** The queue's own connections: they run the prepared statements of `queue/` and nothing else. */
export interface QueueConnection {
  run<Row>(query: NamedQuery<Row>): Promise<Row[]>
  close(): Promise<void>
}

/**
 * Plans are pinned to index scans: a plan made while the table was small would otherwise be kept when it has millions of rows.
 * A settle that waits for somebody's lock gives up after a second, so that one locked row does not hold the worker.
 */
const settings = {
  application_name: 'sidelinja-jobs',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  lock_timeout: '1s',
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '30s',
}

/** Opens nothing yet: connections are made when statements are run. */
export function openQueueConnection(config: pg.PoolConfig, size: number): QueueConnection {
  const pool = new pg.Pool({ ...config, max: size, keepAlive: true, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // A backend that is terminated while its client is checked out would otherwise end the process.
    client.on('error', () => {})
    const list = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
    // A failure shows in the next statement on the same connection.
    client.query(`select ${list.join(', ')}`).catch(() => {})
  })
  return {
    run: async <Row>(query: NamedQuery<Row>) =>
      (await pool.query({ name: query.name, text: query.text, values: query.values })).rows as Row[],
    close: () => pool.end(),
  }
}
