import type { PoolClient } from 'pg'
import type { RowRule } from './facts.ts'

/** Up to three jobs that break the rule. */
export async function findBrokenRows(client: PoolClient, { brokenWhere }: RowRule): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`select id::text as id from job_queue where ${brokenWhere} limit 3`)
  return rows.map(({ id }) => id)
}
