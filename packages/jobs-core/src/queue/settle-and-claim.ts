import { sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'

/** A run that ended well and has nothing to write but its result. */
export interface CompletedRun {
  id: string
  run: number
  resultJson: string | null
  /** True when the job may have stored steps, which go with its completion. */
  mayHaveSteps: boolean
}

export interface ClaimedJob {
  id: string
  run: number
  job_type: string
  collection_node_id: string
  payload: string
  attempts: number
  max_attempts: number
  priority: number
  created_at: Date
  scheduled_for: Date
  correlation_id: string | null
  /** Claimed ahead of a free slot: its handler starts only after the flag has been cleared. */
  prefetched: boolean
}

export interface SettleAndClaim {
  workerId: string
  types: readonly string[]
  completed: readonly CompletedRun[]
  /** Prefetched runs that are about to start. */
  starting: readonly { id: string; run: number }[]
  /** How many rows to claim, the prefetched ones included. */
  limit: number
  /** How many of them start at once. */
  freeSlots: number
}

export interface SettledAndClaimed {
  /** False: the lease is lost. Nothing was claimed or cleared to start. */
  alive: boolean
  /** Ids of `completed` that were this worker's to settle. */
  settled: ReadonlySet<string>
  /** Ids of `starting` that may start. */
  started: ReadonlySet<string>
  claimed: ClaimedJob[]
  /** True when the queue had as many due jobs as were asked for: there may be more. Not all of them need have been claimed. */
  more: boolean
}

interface Params {
  workerId: string
  types: readonly string[]
  ids: string[]
  runs: number[]
  results: (string | null)[]
  stepped: string[]
  startIds: string[]
  startRuns: number[]
  limit: number
  freeSlots: number
}

/** The first row, without an id, is about the whole statement; the others are the claimed jobs, in any order. */
interface Summary {
  alive: boolean
  settled: string[] | null
  started: string[] | null
  /** What was looked at, in the queue's order: the claimed among them. JavaScript's dates could not restore it: they have no microseconds. */
  picked: string[] | null
}

type Row = Summary & { [Key in keyof ClaimedJob]: ClaimedJob[Key] | null }

/*
 * One round trip settles what is done, clears what starts and claims what comes next.
 *
 * - The claim refers to the settle, so the settle's locks come first: the other way round it would wait for them while holding
 *   the claim's, and workers would deadlock.
 * - `me` holds the worker's own row, so that a claim cannot commit after the worker was declared dead.
 * - A job that was rescued before is only claimed straight into a free slot: should it kill this worker too, it kills it alone.
 *   So is a job with its last attempt before it: a job that was cleared to start, and whose worker died before it did, has lost an
 *   attempt, and must not fail for good without ever having run.
 */
const query = statement<Params, Row>(
  'jobs_settle_and_claim',
  (p) => sql`
    with me as materialized (
      select id from job_workers
      where id = ${p('workerId')}::uuid and dead_at is null and lease_expires_at > clock_timestamp()
      for key share),
    done as (
      update job_queue q
      set status = 'completed', completed_at = clock_timestamp(), result = u.result::jsonb, error_msg = null,
        unique_held = false, cancel_requested_at = null, prefetched = false
      from unnest(${p('ids')}::uuid[], ${p('runs')}::int[], ${p('results')}::text[]) u (id, run, result)
      where q.id = u.id and q.run = u.run and q.status = 'running'
      returning q.id),
    swept as (
      delete from job_steps s
      where s.job_id = any(${p('stepped')}::uuid[]) and exists (select from done d where d.id = s.job_id)),
    begun as (
      update job_queue q
      set prefetched = false
      from unnest(${p('startIds')}::uuid[], ${p('startRuns')}::int[]) s (id, run)
      where q.id = s.id and q.run = s.run and q.status = 'running' and exists (select from me)
      returning q.id),
    cand as materialized (
      select id, rescues = 0 and attempts + 1 < max_attempts as may_wait from job_queue
      where ready and scheduled_for <= now() and job_type = any(${p('types')}::text[])
        and exists (select from me) and (select count(*) from done) >= 0 and (select count(*) from begun) >= 0
      order by priority desc, scheduled_for, sequence
      limit ${p('limit')}::int
      for update skip locked),
    pick as materialized (select id, may_wait, row_number() over () as position from cand),
    took as (
      update job_queue q
      set status = 'running', run = q.run + 1, attempts = least(q.attempts, 32766) + 1, worker_id = ${p('workerId')}::uuid,
        started_at = now(), completed_at = null, progress = null, progress_text = null,
        prefetched = not (q.id = any(array(select id from pick where position <= ${p('freeSlots')}::int))),
        unique_held = q.unique_held and q.unique_until = 'finished'
      where q.id = any(array(select id from pick where position <= ${p('freeSlots')}::int or may_wait))
      returning q.id, q.run, q.job_type, q.collection_node_id, q.payload::text as payload, q.attempts, q.max_attempts, q.priority,
        q.created_at, q.scheduled_for, q.correlation_id, q.prefetched)
    select (select count(*) from me) > 0 as alive, (select array_agg(id) from done) as settled, (select array_agg(id) from begun) as started,
      (select array_agg(id order by position) from pick) as picked,
      null::uuid as id, null::int as run, null as job_type, null::uuid as collection_node_id, null as payload, null::smallint as attempts,
      null::smallint as max_attempts, null::smallint as priority, null::timestamptz as created_at, null::timestamptz as scheduled_for,
      null as correlation_id, null::boolean as prefetched
    union all
    select null, null, null, null, took.* from took`,
)

/** Settles, starts and claims in one statement; see above for why they belong together. */
export async function settleAndClaim(queue: QueueConnection, work: SettleAndClaim): Promise<SettledAndClaimed> {
  const completed = [...work.completed].sort((a, b) => (a.id < b.id ? -1 : 1))
  const rows = await queue.run(
    query({
      workerId: work.workerId,
      types: work.types,
      ids: completed.map((run) => run.id),
      runs: completed.map((run) => run.run),
      results: completed.map((run) => run.resultJson),
      stepped: completed.filter((run) => run.mayHaveSteps).map((run) => run.id),
      startIds: work.starting.map((run) => run.id),
      startRuns: work.starting.map((run) => run.run),
      limit: work.limit,
      freeSlots: work.freeSlots,
    }),
  )
  const summary = rows.find((row) => row.id === null)
  const claimed = new Map(rows.filter((row) => row.id !== null).map((row) => [row.id, row as ClaimedJob]))
  return {
    alive: summary?.alive === true,
    settled: new Set(summary?.settled ?? []),
    started: new Set(summary?.started ?? []),
    claimed: (summary?.picked ?? []).flatMap((id) => claimed.get(id) ?? []),
    more: work.limit > 0 && summary?.picked?.length === work.limit,
  }
}
