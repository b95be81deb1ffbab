import type { PoolClient } from 'pg'
import type { RowRule } from './facts.ts'

/** How many jobs break each rule, in one pass over the table. Null for a rule that none breaks is left out. */
export async function countBrokenRows(client: PoolClient, rules: readonly RowRule[]): Promise<{ rule: RowRule; count: number }[]> {
  const counts = rules.map(({ brokenWhere }) => `count(*) filter (where ${brokenWhere})`)
  const { rows } = await client.query<string[]>({ text: `select ${counts.join(', ')} from job_queue`, rowMode: 'array' })
  return rules.map((rule, index) => ({ rule, count: Number(rows[0]?.[index]) })).filter(({ count }) => count > 0)
}
