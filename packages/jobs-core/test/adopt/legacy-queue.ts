import { readFileSync } from 'node:fs'
import pg from 'pg'
import { inject } from 'vitest'
import { createTestDatabase } from '../../src/testing/index.ts'

export type LegacyShape = 'no-tenant' | 'workspace-id' | 'collection-node-id'

export const shapes: readonly LegacyShape[] = ['no-tenant', 'workspace-id', 'collection-node-id']
/** The collection that jobs without a tenant are given to. */
export const named = 'bbbbbbbb-0000-4000-8000-000000000009'
const tenants = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002']

export interface LegacyDatabase {
  connectionString: string
  /** Runs a statement on a connection of its own, which is closed when this returns: no session is left to be found. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Calls with a pool that is closed afterwards. */
  withPool<T>(use: (pool: pg.Pool) => Promise<T>, options?: pg.PoolConfig): Promise<T>
  drop(): Promise<void>
}

/** A database that holds an old queue, with a job or more in every status. */
export async function createLegacyDatabase(shape: LegacyShape, { rows = true } = {}): Promise<LegacyDatabase> {
  const { connectionString, drop } = await createTestDatabase({ connectionString: inject('server').connectionString })
  await run(connectionString, readFileSync(new URL(`fixtures/${shape}.sql`, import.meta.url), 'utf8'))
  if (rows) await insertJobs(connectionString, shape)
  return {
    connectionString,
    query: async (text, values) => (await run(connectionString, text, values)).rows,
    async withPool(use, options) {
      const pool = new pg.Pool({ connectionString, max: 4, ...options })
      pool.on('error', () => {})
      try {
        return await use(pool)
      } finally {
        await pool.end()
      }
    },
    drop,
  }
}

/** What an old worker left behind, as columns of job_queue; times are minutes from now. */
export const jobs = [
  { n: 1, job_type: 'old_a', status: 'pending', attempts: 0, created: -50 },
  { n: 2, job_type: 'old_b', status: 'pending', attempts: 0, created: -40, priority: 10 },
  { n: 3, job_type: 'old_a', status: 'pending', attempts: 0, created: -30, scheduled: 600 },
  { n: 4, job_type: 'old_a', status: 'retry', attempts: 2, created: -60, scheduled: -1, error_msg: 'connect ECONNREFUSED' },
  { n: 5, job_type: 'old_b', status: 'running', attempts: 0, created: -80, started: -70 },
  { n: 6, job_type: 'old_a', status: 'running', attempts: 2, created: -90, started: -65, error_msg: 'first attempt failed' },
  { n: 7, job_type: 'old_a', status: 'completed', attempts: 1, created: -99, started: -98, completed: -97, result: '{"segments": 12}' },
  { n: 8, job_type: 'old_b', status: 'error', attempts: 3, created: -99, started: -98, error_msg: 'no such file' },
  { n: 9, job_type: 'old_b', status: 'error', attempts: 3, created: -99, started: -98, completed: -90, error_msg: 'no such file' },
] as const

/** The id of job n. */
export const jobId = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

async function insertJobs(connectionString: string, shape: LegacyShape): Promise<void> {
  const tenant = { 'no-tenant': undefined, 'workspace-id': 'workspace_id', 'collection-node-id': 'collection_node_id' }[shape]
  const rows = jobs.map(({ n, created, ...job }) => ({
    id: jobId(n),
    created,
    tenant: tenants[n % 2],
    scheduled: created,
    priority: 0,
    ...job,
  }))
  await run(
    connectionString,
    `insert into job_queue (id, job_type, payload, status, priority, result, error_msg, attempts, created_at, started_at, completed_at,
       scheduled_for ${tenant ? `, ${tenant}` : ''})
     select id, job_type, jsonb_build_object('n', id), status, priority, result, error_msg, attempts, now() + created * interval '1 minute',
       now() + started * interval '1 minute', now() + completed * interval '1 minute', now() + scheduled * interval '1 minute'
       ${tenant ? ', tenant' : ''}
     from jsonb_to_recordset($1) r (id uuid, job_type text, status job_status, priority int, result jsonb, error_msg text, attempts int,
       created int, started int, completed int, scheduled int, tenant uuid)`,
    [JSON.stringify(rows.map((row) => ({ ...row, result: 'result' in row ? JSON.parse(row.result) : null })))],
  )
}

async function run(connectionString: string, text: string, values?: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}
