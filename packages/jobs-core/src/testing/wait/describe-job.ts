import type { Selectable } from 'kysely'
import { explain } from '../../admin/explain/explain-job.ts'
import { readSnapshot } from '../../admin/explain/read-snapshot.ts'
import type { ReasonCode } from '../../admin/explain/reason.ts'
import type { Snapshot } from '../../admin/explain/snapshot.ts'
import type { Queryable } from '../../database/queryable.ts'
import type { JobAttemptsTable, JobStatus } from '../../database/tables.ts'
import { builder, readRows } from '../read-rows.ts'

type Attempt = Selectable<JobAttemptsTable>

/** What a test can do about it. */
const advice: Partial<Record<ReasonCode, string>> = {
  SCHEDULED: 'travel(db, …) moves it there.',
  WAITS_FOR_RETRY: 'travel(db, …) moves it there.',
  SNOOZED: 'travel(db, …) moves it there.',
  NO_WORKER: 'Start one, or call drain(db, …).',
  WORKERS_LOST: 'Start one, or call drain(db, …).',
}

/** What is to be known about a job that is not as a test expected: where it stands, its history, and why it does not run. */
export async function describeJob(db: Queryable, id: string): Promise<{ status: JobStatus | undefined; text: string }> {
  const snapshot = await readSnapshot(db, id, null)
  if (!snapshot)
    return { status: undefined, text: 'no such job\n  Was it enqueued in a transaction that is not committed, or in another database?' }
  const attempts = await readRows(db, builder().selectFrom('job_attempts').selectAll().where('job_id', '=', id).orderBy('id').compile())
  const lines = [summary(snapshot), ...attempts.map(describeAttempt), ...reasons(snapshot)]
  return { status: snapshot.job.status, text: lines.join('\n  ') }
}

function summary({ job }: Snapshot): string {
  return `${job.status} (attempt ${job.attempts}/${job.maxAttempts}${job.error ? `, ${job.error}` : ''})`
}

function describeAttempt({ run, attempt, end_reason, error_code, error_msg }: Attempt): string {
  return [`run ${run}, attempt ${attempt}: ${end_reason}`, error_code, error_msg].filter(Boolean).join(', ')
}

/** Of a job that has ended the summary has said it all. */
function reasons(snapshot: Snapshot): string[] {
  if (snapshot.job.completedAt !== null) return []
  return explain(snapshot).reasons.map(({ code, sentence }) => [sentence, advice[code]].filter(Boolean).join(' '))
}
