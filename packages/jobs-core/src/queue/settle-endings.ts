import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import type { JobStatus } from '../database/tables.ts'
import { errorCause } from '../errors/error-cause.ts'
import type { Outcome } from '../policy/outcome.ts'

/** A run that ended without success, and what that means. */
export interface EndedRun {
  id: string
  run: number
  outcome: Outcome
}

export interface SettledEnding {
  id: string
  run: number
  status: JobStatus
  /** What the row says now; null when the job is final or due already. */
  scheduled_for: Date
}

interface Params {
  ids: string[]
  runs: number[]
  kinds: string[]
  reasons: string[]
  permanents: boolean[]
  delays: number[]
  codes: (string | null)[]
  messages: string[]
  stacks: (string | null)[]
  causes: string[]
}

/** A job may be snoozed this often; then it fails, so that nothing waits for ever for a service that never comes back. */
const MAX_SNOOZES = 10_000

/*
 * The row itself has the last word: a cancel that was requested meanwhile wins, and a failure without attempts left is final.
 * Hand-backs (released, snoozed, unstarted) give the attempt back.
 *
 * Rows are locked one by one in the order they are given, which is that of their ids: two that settle the same rows wait for each
 * other and do not deadlock. An `order by` would have the planner, which may not sort here, walk the whole table by its primary key.
 */
const query = statement<Params, SettledEnding>(
  'jobs_settle_endings',
  (p) => sql`
    with ended as materialized (
      select * from unnest(${p('ids')}::uuid[], ${p('runs')}::int[], ${p('kinds')}::text[], ${p('reasons')}::text[],
        ${p('permanents')}::boolean[], ${p('delays')}::float8[], ${p('codes')}::text[], ${p('messages')}::text[], ${p('stacks')}::text[],
        ${p('causes')}::text[])
        e (id, run, kind, reason, permanent, delay_ms, code, message, stack, cause)),
    fate as materialized (
      select e.*, q.attempts, q.worker_id, q.started_at,
        e.kind in ('released', 'snoozed', 'unstarted') and not (e.kind = 'snoozed' and q.snoozes >= ${sql.lit(MAX_SNOOZES)}) as hand_back,
        case
          when q.cancel_requested_at is not null or e.kind = 'cancelled' then 'cancelled'
          when e.kind = 'snoozed' and q.snoozes >= ${sql.lit(MAX_SNOOZES)} then 'error'
          when e.kind in ('released', 'snoozed', 'unstarted') then case when q.attempts <= 1 then 'pending' else 'retry' end
          when e.permanent or q.attempts >= q.max_attempts then 'error'
          else 'retry'
        end::job_status as status
      from ended e cross join lateral (
        select r.attempts, r.max_attempts, r.snoozes, r.worker_id, r.started_at, r.cancel_requested_at from job_queue r
        where r.id = e.id and r.run = e.run and r.status = 'running' for no key update) q),
    settled as (
      update job_queue q
      set status = f.status,
        attempts = case when f.hand_back then greatest(q.attempts - 1, 0) else q.attempts end,
        snoozes = case when f.kind = 'snoozed' then least(q.snoozes, 32766) + 1 else q.snoozes end,
        scheduled_for = case when f.kind in ('failed', 'snoozed') and f.status in ('pending', 'retry')
          then clock_timestamp() + f.delay_ms * interval '1 millisecond' else q.scheduled_for end,
        completed_at = case when f.status in ('error', 'cancelled') then clock_timestamp() end,
        error_msg = case when f.kind = 'unstarted' then q.error_msg else f.message end,
        error_group = case when f.status = 'error' then md5(q.job_type || ' ' || f.cause) else q.error_group end,
        unique_held = q.unique_held and f.status not in ('error', 'cancelled'),
        cancel_requested_at = case when f.status = 'cancelled' then null else q.cancel_requested_at end,
        prefetched = false
      from fate f
      where q.id = f.id and q.run = f.run and q.status = 'running'
      returning q.id, q.run, q.status, q.scheduled_for, q.job_type),
    noted as (
      insert into job_attempts (job_id, run, attempt, worker_id, started_at, end_reason, error_code, error_msg, error_stack)
      select f.id, f.run, f.attempts, f.worker_id, f.started_at,
        case when f.status = 'cancelled' then 'cancelled' else f.reason end, f.code, nullif(f.message, ''), f.stack
      from fate f join settled s using (id)
      where f.kind <> 'unstarted' or f.status = 'cancelled'),
    woken as (
      select wake_idle_workers(array_agg(distinct s.job_type)) from settled s join fate f using (id)
      where f.kind in ('released', 'unstarted') having count(*) > 0)
    select s.id, s.run, s.status, s.scheduled_for from settled s where (select count(*) from woken) >= 0`,
)

/** Settles runs that did not simply succeed, each with its row in job_attempts. Returns those that were this worker's to settle. */
export async function settleEndings(queue: QueueConnection, runs: readonly EndedRun[]): Promise<SettledEnding[]> {
  const ended = [...runs].sort((a, b) => (a.id < b.id ? -1 : 1))
  return queue.run(
    query({
      ids: ended.map((run) => run.id),
      runs: ended.map((run) => run.run),
      kinds: ended.map((run) => run.outcome.kind),
      reasons: ended.map((run) => run.outcome.endReason),
      permanents: ended.map((run) => run.outcome.permanent),
      delays: ended.map((run) => run.outcome.delayMs),
      codes: ended.map((run) => run.outcome.error.code),
      messages: ended.map((run) => run.outcome.error.message),
      stacks: ended.map((run) => run.outcome.error.stack),
      causes: ended.map((run) => errorCause(run.outcome.error)),
    }),
  )
}
