import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/** What became of a run whose settle found no row. */
export type RunFate =
  | 'deleted'
  /** Final, by this worker: an earlier try had committed, and only its answer was lost. */
  | 'settled'
  /** Due again, or later, by this worker: the same for a failure; for a success it means that the run was handed back. */
  | 'waiting'
  | 'still_running'
  | 'lost'

const query = statement<{ ids: string[]; runs: number[]; workerId: string }, { id: string; fate: RunFate }>(
  'jobs_find_runs',
  (p) => sql`
    select r.id, case
        when q.id is null then 'deleted'
        when q.run <> r.run then 'lost'
        when q.status = 'running' then 'still_running'
        when q.worker_id = ${p('workerId')}::uuid and q.status in ('completed', 'error', 'cancelled') then 'settled'
        when q.worker_id = ${p('workerId')}::uuid then 'waiting'
        else 'lost'
      end as fate
    from unnest(${p('ids')}::uuid[], ${p('runs')}::int[]) r (id, run) left join job_queue q on q.id = r.id`,
)

/** Looks up runs that a settle did not find: only this tells a commit whose answer got lost from a lost lease. */
export async function findRuns(
  queue: QueueConnection,
  workerId: string,
  runs: readonly { id: string; run: number }[],
): Promise<ReadonlyMap<string, RunFate>> {
  const rows = await queue.run(query({ ids: runs.map((run) => run.id), runs: runs.map((run) => run.run), workerId }))
  return new Map(rows.map((row) => [row.id, row.fate]))
}
