import { type RawBuilder, sql } from 'kysely'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import { byTypeCandidates, type CandidateParams, inOrderCandidates } from './claim-candidates.ts'

/** A run that ended well and has nothing to write but its result. */
export interface CompletedRun {
  id: string
  run: number
  resultJson: string | null
  /** True when the job may have stored steps, which go with its completion. */
  mayHaveSteps: boolean
}

/** A job as it was claimed. */
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
  /** How often it was taken back from a dead worker. */
  rescues: number
  /** Claimed ahead of a free slot: its handler starts only after the flag has been cleared. */
  prefetched: boolean
  /** From when it was due, at the earliest when it was enqueued, until it was claimed. */
  waited_ms: number
  /** The number of the claim that took it. */
  claim: number
}

export interface SettleAndClaim {
  workerId: string
  types: readonly string[]
  completed: readonly CompletedRun[]
  /** Prefetched runs that are about to start. */
  starting: readonly { id: string; run: number }[]
  /** How many rows to claim, the prefetched ones included. */
  limit: number
  /** The number of this claim: the worker counts them, and so finds again what it holds. */
  claim: number
  /** How many of them start at once. */
  freeSlots: number
  /** How many due jobs to look at beyond `limit`: those that may not be claimed now stand before others that may. */
  lookahead: number
  /** How many jobs this worker holds that were rescued before. */
  rescuedHeld: number
  /** True when one of them is on its last attempt. */
  lastChanceHeld: boolean
  /** True: look for jobs type by type. Faster when most of what waits is of types this worker does not run, slower otherwise. */
  byType: boolean
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
  /** How many due jobs were passed over: rescued ones that must not run beside each other. */
  passed: number
  /** True while some type is paused everywhere: its jobs may stand in the way of a claim that does not look type by type. */
  typePaused: boolean
  /** True while some collection, or a type within one, is paused: their jobs are to stand aside. */
  collectionPaused: boolean
}

interface Params extends CandidateParams {
  workerId: string
  ids: string[]
  runs: number[]
  results: (string | null)[]
  stepped: string[]
  startIds: string[]
  startRuns: number[]
  claim: number
  freeSlots: number
  rescuedHeld: number
  lastChanceHeld: boolean
}

/** The first row, without an id, is about the whole statement; the others are the claimed jobs, in any order. */
interface Summary {
  alive: boolean
  settled: string[] | null
  started: string[] | null
  /** What was looked at, in the queue's order: the claimed among them. JavaScript's dates could not restore it: they have no microseconds. */
  picked: string[] | null
  passed: number
  type_paused: boolean
  collection_paused: boolean
}

type Param = (key: keyof Params) => RawBuilder<unknown>
type Row = Summary & { [Key in Exclude<keyof ClaimedJob, 'claim'>]: ClaimedJob[Key] | null }

/*
 * One round trip settles what is done, clears what starts and claims what comes next.
 *
 * - The claim refers to the settle, so the settle's locks come first: the other way round it would wait for them while holding
 *   the claim's, and workers would deadlock.
 * - `me` holds the worker's own row, so that a claim cannot commit after the worker was declared dead.
 * - A job that was rescued before, or has its last attempt before it, is only claimed straight into a free slot: a job that was
 *   cleared to start, and whose worker died before it did, has lost an attempt, and must not fail for good without ever having run.
 * - A rescued job with its last attempt before it runs beside no other rescued job: one of them may be what killed the worker, and
 *   whatever it takes along must have an attempt left.
 * - Pauses are read in the claim's own snapshot: no claim that begins after a pause was committed takes such a job.
 */
const build = (candidates: (p: Param) => RawBuilder<unknown>) => (p: Param) =>
  sql`
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
    paused as materialized (select job_type, collection_node_id from job_pauses),
    ${candidates(p)},
    judged as materialized (
      select id, not rescued and not last_chance as may_wait,
        case
          when not rescued then true
          when last_chance then ${p('rescuedHeld')}::int = 0 and count(*) filter (where rescued) over before = 0
          else not ${p('lastChanceHeld')}::boolean and count(*) filter (where rescued and last_chance) over before = 0
        end as takeable
      from cand window before as (rows between unbounded preceding and 1 preceding)),
    pick as materialized (
      select * from (select id, may_wait, row_number() over () as position from judged where takeable) t
      where position <= ${p('limit')}::int),
    took as (
      update job_queue q
      set status = 'running', run = q.run + 1, attempts = least(q.attempts, 32766) + 1, worker_id = ${p('workerId')}::uuid,
        claim = ${p('claim')}::bigint, started_at = now(), completed_at = null, progress = null, progress_text = null, parked = false,
        prefetched = not (q.id = any(array(select id from pick where position <= ${p('freeSlots')}::int))),
        unique_held = q.unique_held and q.unique_until = 'finished'
      where q.id = any(array(select id from pick where position <= ${p('freeSlots')}::int or may_wait))
      returning q.id, q.run, q.job_type, q.collection_node_id, q.payload::text as payload, q.attempts, q.max_attempts, q.priority,
        q.created_at, q.scheduled_for, q.correlation_id, q.rescues, q.prefetched,
        greatest(extract(epoch from now() - greatest(q.created_at, q.scheduled_for)) * 1000, 0)::float8 as waited_ms)
    select (select count(*) from me) > 0 as alive, (select array_agg(id) from done) as settled, (select array_agg(id) from begun) as started,
      (select array_agg(id order by position) from pick) as picked, (select count(*)::int from judged where not takeable) as passed,
      exists (select from paused where collection_node_id is null) as type_paused,
      exists (select from paused where collection_node_id is not null) as collection_paused,
      null::uuid as id, null::int as run, null as job_type, null::uuid as collection_node_id, null as payload, null::smallint as attempts,
      null::smallint as max_attempts, null::smallint as priority, null::timestamptz as created_at, null::timestamptz as scheduled_for,
      null as correlation_id, null::smallint as rescues, null::boolean as prefetched, null::float8 as waited_ms
    union all
    select null, null, null, null, null, null, null, took.* from took`

const inOrder = statement<Params, Row>('jobs_settle_and_claim', build(inOrderCandidates))
const byType = statement<Params, Row>('jobs_settle_and_claim_by_type', build(byTypeCandidates))

/** Settles, starts and claims in one statement; see above for why they belong together. */
export async function settleAndClaim(queue: QueueConnection, work: SettleAndClaim): Promise<SettledAndClaimed> {
  const completed = [...work.completed].sort((a, b) => (a.id < b.id ? -1 : 1))
  const query = work.byType ? byType : inOrder
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
      claim: work.claim,
      freeSlots: work.freeSlots,
      lookahead: work.limit > 0 ? work.lookahead : 0,
      rescuedHeld: work.rescuedHeld,
      lastChanceHeld: work.lastChanceHeld,
    }),
  )
  const summary = rows.find((row) => row.id === null)
  const claimed = new Map(rows.filter((row) => row.id !== null).map((row) => [row.id, { ...row, claim: work.claim } as ClaimedJob]))
  return {
    alive: summary?.alive === true,
    settled: new Set(summary?.settled ?? []),
    started: new Set(summary?.started ?? []),
    claimed: (summary?.picked ?? []).flatMap((id) => claimed.get(id) ?? []),
    more: work.limit > 0 && summary?.picked?.length === work.limit,
    passed: summary?.passed ?? 0,
    typePaused: summary?.type_paused === true,
    collectionPaused: summary?.collection_paused === true,
  }
}
