import { type Kysely, sql } from 'kysely'
import { runQuery } from '../../database/queryable.ts'
import { type Statement, statement } from '../../database/statement.ts'
import type { QueueDatabase } from '../../database/tables.ts'

type Count = Statement<object, { counted: boolean }>
const live: Count = statement('jobs_admin_count_live', () => sql`select count_live_jobs() as counted`)
const finished: Count = statement('jobs_admin_count_finished', () => sql`select count_finished_jobs() as counted`)

/** Counting may take longer than what somebody waits for. */
const timeoutMs = 30_000

/**
 * Counts all jobs anew for everybody, if it is time: at most every five seconds, and so seldom that it takes at most about half a hundredth of a processor. One
 * process at a time does it; for others this is nothing.
 * @returns whether anything was counted.
 */
export async function refreshCounts(db: Kysely<QueueDatabase>): Promise<boolean> {
  const count = (query: Count) =>
    db.transaction().execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(trx)
      return (await runQuery(trx, query({})))[0]?.counted === true
    })
  const first = await count(live)
  return (await count(finished)) || first
}
