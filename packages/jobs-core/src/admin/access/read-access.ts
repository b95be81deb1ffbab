import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'

/** The collections a user reaches. */
export interface UserAccess {
  /** Whose jobs they may see. */
  see: readonly string[]
  /** On whose jobs they may act: those of which they are owner or editor. */
  act: readonly string[]
  /** What they are called. */
  titles: ReadonlyMap<string, string | null>
}

const query = statement<object, { node: string; act: boolean; title: string | null }>(
  'jobs_admin_access',
  () => sql`select node_id as node, may_act as act, title from job_user_access() order by node_id`,
)

/** Reads what the user whom the transaction names (`app.user_id`) has access to, from the host's `node_access`. Without a user: nothing. */
export async function readAccess(trx: Queryable): Promise<UserAccess> {
  const rows = await runQuery(trx, query({}))
  return {
    see: rows.map(({ node }) => node),
    act: rows.filter(({ act }) => act).map(({ node }) => node),
    titles: new Map(rows.map(({ node, title }) => [node, title])),
  }
}
