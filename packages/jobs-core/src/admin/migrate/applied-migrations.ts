import type { PoolClient } from 'pg'

/** Names and checksums of what this database has; empty for a new one. */
export async function appliedMigrations(client: PoolClient): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await client.query(`select to_regclass('job_migrations') is not null as present`)
  if (!tables[0]?.present) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from job_migrations')
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/** Makes the table they are written down in. */
export async function createMigrationTable(client: PoolClient): Promise<void> {
  await client.query(
    'create table if not exists job_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default clock_timestamp())',
  )
}

/** True when there is a table job_queue that no migration has made or adopted. */
export async function isQueueForeign(client: PoolClient, applied: ReadonlyMap<string, string>): Promise<boolean> {
  if (applied.has('queue/0002_job_queue')) return false
  const { rows } = await client.query<{ taken: boolean }>(`select to_regclass('job_queue') is not null as taken`)
  return rows[0]?.taken === true
}
