import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What AI calls have cost, in US dollars. */
export interface AiCosts {
  job: number
  /** Since midnight in the collection's zone. */
  day: number
  /** Since the first of the month there. */
  month: number
}

/** What a collection has spent on AI calls: for one job, today and this month. Calls whose cost the gateway does not tell count nothing. */
export async function sumAiCosts(
  db: StorageDatabase,
  collectionNodeId: string,
  { jobId, timeZone }: { jobId: string; timeZone: string },
): Promise<AiCosts> {
  const { rows } = await sql<AiCosts>`
    with zone as (
      select date_trunc('day', now() at time zone ${timeZone}) at time zone ${timeZone} as day,
        date_trunc('month', now() at time zone ${timeZone}) at time zone ${timeZone} as month)
    select
      (select coalesce(sum(c.cost_usd), 0) from ai_calls c where c.job_id = ${jobId}::uuid)::float8 as job,
      coalesce(sum(m.cost_usd) filter (where m.created_at >= (select day from zone)), 0)::float8 as day,
      coalesce(sum(m.cost_usd), 0)::float8 as month
    from ai_calls m
    where m.collection_node_id = ${collectionNodeId}::uuid and m.created_at >= (select month from zone)`.execute(withTables(db))
  return rows[0] ?? { job: 0, day: 0, month: 0 }
}
