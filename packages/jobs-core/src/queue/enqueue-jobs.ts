import { sql } from 'kysely'
import { type Queryable, runQuery } from '../database/queryable.ts'
import { statement } from '../database/statement.ts'
import type { EnqueueResult, NewJob } from '../enqueue/options.ts'
import { enqueueOrRefuse } from './explain-refusal.ts'

type Columns = { [Key in keyof NewJob]: NewJob[Key][] | null }

const query = statement<Columns, EnqueueResult>(
  'jobs_enqueue_many',
  (p) => sql`
    select id, outcome from enqueue_jobs(${p('collectionNodeId')}::uuid[], ${p('type')}::text[], ${p('payloadJson')}::jsonb[],
      ${p('priority')}::smallint[], ${p('scheduledFor')}::timestamptz[], ${p('maxAttempts')}::smallint[],
      ${p('uniqueKey')}::text[], ${p('uniqueUntil')}::text[], ${p('onConflict')}::text[], ${p('correlationId')}::text[])`,
)

/** Inserts many checked jobs in one statement; results in input order. */
export async function enqueueJobs(db: Queryable, jobs: readonly NewJob[]): Promise<EnqueueResult[]> {
  return enqueueOrRefuse(() => runQuery(db, query(toColumns(jobs))))
}

/** One array per column; columns in which no job has a value are sent as null. */
function toColumns(jobs: readonly NewJob[]): Columns {
  const column = <Key extends keyof NewJob>(key: Key): NewJob[Key][] | null =>
    jobs.some((job) => job[key] !== null) ? jobs.map((job) => job[key]) : null
  return {
    collectionNodeId: column('collectionNodeId'),
    type: column('type'),
    payloadJson: column('payloadJson'),
    priority: column('priority'),
    scheduledFor: column('scheduledFor'),
    maxAttempts: column('maxAttempts'),
    uniqueKey: column('uniqueKey'),
    uniqueUntil: column('uniqueUntil'),
    onConflict: column('onConflict'),
    correlationId: column('correlationId'),
  }
}
