import { sql } from 'kysely'
import { type Queryable, runQuery } from '../../database/queryable.ts'
import { statement } from '../../database/statement.ts'
import type { Snapshot } from './snapshot.ts'

const query = statement<{ id: string; collections: readonly string[] | null }, { snapshot: string | null }>(
  'jobs_admin_explain',
  (p) => sql`select explain_job_snapshot(${p('id')}::uuid, ${p('collections')}::uuid[]) as snapshot`,
)

/** Reads what there is to know about a job; undefined when there is none in the scope. */
export async function readSnapshot(db: Queryable, id: string, collections: readonly string[] | null): Promise<Snapshot | undefined> {
  const [row] = await runQuery(db, query({ id, collections }))
  return row?.snapshot ? (JSON.parse(row.snapshot) as Snapshot) : undefined
}
