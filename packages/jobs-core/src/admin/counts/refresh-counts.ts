import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'

const live = statement<object, { counted: boolean }>('jobs_admin_count_live', () => sql`select count_live_jobs() as counted`)
const finished = statement<object, { counted: boolean }>('jobs_admin_count_finished', () => sql`select count_finished_jobs() as counted`)

/**
 * Counts all jobs anew for everybody, if it is time: at most every five seconds, and so seldom that it takes about a hundredth of a processor. One
 * process at a time does it; for others this is nothing. Run it outside a request's transaction.
 * @returns whether anything was counted.
 */
export async function refreshCounts(db: Queryable): Promise<boolean> {
  const [first] = await runQuery(db, live({}))
  const [second] = await runQuery(db, finished({}))
  return first?.counted === true || second?.counted === true
}
