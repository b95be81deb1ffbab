import { type Selectable, sql } from 'kysely'
import type { Job } from '../../admin/get-job.ts'
import type { Queryable } from '../../database/queryable.ts'
import type { JobAttemptsTable, JobStatus } from '../../database/tables.ts'
import { builder, readRows } from '../read-rows.ts'

type Attempt = Selectable<JobAttemptsTable>
type Seen = Job & { due_in_ms: string; has_worker: boolean }

/** What is to be known about a job that is not as a test expected: where it stands, its history, and what it waits for. */
export async function explainJob(db: Queryable, id: string): Promise<{ status: JobStatus | undefined; text: string }> {
  const [job] = await readRows(db, selectJob(id))
  if (!job)
    return { status: undefined, text: 'no such job\n  Was it enqueued in a transaction that is not committed, or in another database?' }
  const attempts = await readRows(db, builder().selectFrom('job_attempts').selectAll().where('job_id', '=', id).orderBy('id').compile())
  const lines = [summary(job), ...attempts.map(describeAttempt), reason(job)].filter((line) => line !== undefined)
  return { status: job.status, text: lines.join('\n  ') }
}

function selectJob(id: string) {
  return sql<Seen>`
    select *, extract(epoch from scheduled_for - clock_timestamp()) * 1000 as due_in_ms,
      exists (
        select from job_workers w
        where w.dead_at is null and w.lease_expires_at > clock_timestamp() and q.job_type = any(w.types)) as has_worker
    from job_queue q where id = ${id}::uuid`.compile(builder())
}

function summary({ status, attempts, max_attempts, error_msg }: Job): string {
  return `${status} (attempt ${attempts}/${max_attempts}${error_msg ? `, ${error_msg}` : ''})`
}

function describeAttempt({ run, attempt, end_reason, error_code, error_msg }: Attempt): string {
  return [`run ${run}, attempt ${attempt}: ${end_reason}`, error_code, error_msg].filter(Boolean).join(', ')
}

/** Why nothing happens. */
function reason(job: Seen): string | undefined {
  if (job.status === 'running') return `It runs since ${job.started_at?.toISOString()}.`
  if (!job.ready) return undefined
  const dueInMs = Number(job.due_in_ms)
  if (dueInMs > 0) return `It is due in ${(dueInMs / 1_000).toFixed(1)} s: travel(db, …) moves it there.`
  return job.has_worker ? undefined : `It is due, and no live worker runs ${job.job_type}: start one, or call drain(db, …).`
}
