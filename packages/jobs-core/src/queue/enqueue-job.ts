import { sql } from 'kysely'
import { type Queryable, runQuery } from '../database/queryable.ts'
import { statement } from '../database/statement.ts'
import type { EnqueueResult, NewJob } from '../enqueue/options.ts'
import { enqueueOrRefuse } from './explain-refusal.ts'

const query = statement<NewJob, EnqueueResult>(
  'jobs_enqueue_one',
  (p) => sql`
    select id, outcome from enqueue_job(${p('collectionNodeId')}::uuid, ${p('type')}::text, ${p('payloadJson')}::jsonb,
      ${p('priority')}::smallint, ${p('scheduledFor')}::timestamptz, ${p('maxAttempts')}::smallint,
      ${p('uniqueKey')}::text, ${p('uniqueUntil')}::text, ${p('onConflict')}::text, ${p('correlationId')}::text)`,
)

/** Inserts one job that has been checked. */
export async function enqueueJob(db: Queryable, job: NewJob): Promise<EnqueueResult> {
  const [row] = await enqueueOrRefuse(() => runQuery(db, query(job)))
  if (row === undefined) throw new Error('enqueue_job returned no row')
  return row
}
