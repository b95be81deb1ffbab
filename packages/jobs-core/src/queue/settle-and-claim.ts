import { type RawBuilder, sql } from 'kysely'
import { arrayLiteral } from '../database/array-literal.ts'
import type { QueueConnection } from '../database/queue-connection.ts'
import { statement } from '../database/statement.ts'
import { byTypeCandidates, type CandidateParams, inOrderCandidates } from './claim-candidates.ts'
import { rangesOf } from './claim-ranges.ts'

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
  /** Milliseconds since 1970: few handlers ask for a date. */
  created_ms: number
  scheduled_ms: number
  correlation_id: string | null
  /** How often it was taken back from a dead worker. */
  rescues: number
  /** Claimed ahead of a free slot: its handler starts only after the flag has been cleared. */
  prefetched: boolean
  /** From when it was due, at the earliest when it was enqueued, until it was claimed. */
  waited_ms: number
  /** A number that grows with each job its worker claims: by it the worker's jobs are found again. */
  claim: number
}

export interface SettleAndClaim {
  workerId: string
  types: readonly string[]
  completed: readonly CompletedRun[]
  /** The claim numbers of prefetched jobs that are about to start. */
  starting: readonly number[]
  /** How many rows to claim, the prefetched ones included. */
  limit: number
  /** Jobs are numbered from the next number on, up to `limit + lookahead` further. */
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
  /** Whether `starting` may start: the database knows of it now. */
  started: boolean
  /** In the queue's order. */
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
  ids: string
  runs: string
  results: string
  stepped: string[]
  starting: string | null
  lastStarting: number
  claim: number
  freeSlots: number
  rescuedHeld: number
  lastChanceHeld: boolean
}

/** About the whole statement. */
interface Summary {
  alive: boolean
  /** Null: every one of them. */
  settled: string[] | null
  started: boolean
  /** How many jobs were found to take. */
  picked: number
  passed: number
  type_paused: boolean
  collection_paused: boolean
}

type Param = (key: keyof Params) => RawBuilder<unknown>
/** The first row has no id, and the summary, as JSON, for its payload; the others are the claimed jobs, in any order. */
type Row = { [Key in keyof ClaimedJob]: Key extends 'payload' ? string : ClaimedJob[Key] | null }

/*
 * One round trip settles what is done, notes what starts and claims what comes next.
 *
 * - The claim refers to the settle, so the settle's locks come first: the other way round it would wait for them while holding
 *   the claim's, and workers would deadlock.
 * - `me` holds the worker's own row, so that neither a claim nor a note of what starts can commit after the worker was declared dead.
 * - A job that was rescued before, or has its last attempt before it, is only claimed straight into a free slot: a job that was
 *   cleared to start, and whose worker died before it did, has lost an attempt, and must not fail for good without ever having run.
 * - A rescued job with its last attempt before it runs beside no other rescued job: one of them may be what killed the worker, and
 *   whatever it takes along must have an attempt left. So it is taken only as the first rescued one, and none is taken behind it.
 * - Pauses are read in the claim's own snapshot: no claim that begins after a pause was committed takes such a job.
 * - Windows are costly where thousands of rows go through: there is one, which numbers them. So are columns of which each row says
 *   nothing, dates as text, and the exact arithmetic of extract().
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
      insert into job_starts (worker_id, claims, last_claim)
      select id, ${p('starting')}::int8multirange, ${p('lastStarting')}::bigint from me where ${p('starting')}::int8multirange is not null
      returning 1),
    paused as materialized (select job_type, collection_node_id from job_pauses),
    ${candidates(p)},
    ranked as materialized (select id, rescued, last_chance, row_number() over () as rank from cand),
    firsts as materialized (
      select min(rank) filter (where rescued) as rescued, min(rank) filter (where rescued and last_chance) as last_chance from ranked),
    judged as materialized (
      select id, rank, not rescued and not last_chance as may_wait,
        case
          when not rescued then true
          when last_chance then ${p('rescuedHeld')}::int = 0 and rank = (select rescued from firsts)
          else not ${p('lastChanceHeld')}::boolean and rank < coalesce((select last_chance from firsts), rank + 1)
        end as takeable
      from ranked),
    pick as materialized (select id, rank, may_wait from judged where takeable limit ${p('limit')}::int),
    seats as materialized (select coalesce(max(rank), 0) as last from (select rank from pick limit ${p('freeSlots')}::int) s),
    took as (
      update job_queue q
      set status = 'running', run = q.run + 1, attempts = least(q.attempts, 32766) + 1, worker_id = ${p('workerId')}::uuid,
        claim = ${p('claim')}::bigint + pick.rank, started_at = now(), completed_at = null, progress = null, progress_text = null, parked = false,
        prefetched = pick.rank > (select last from seats), unique_held = q.unique_held and q.unique_until = 'finished'
      from pick
      where q.id = pick.id and (pick.may_wait or pick.rank <= (select last from seats))
      returning q.id, q.run, q.job_type, q.collection_node_id, q.payload::text as payload, q.attempts, q.max_attempts, q.priority,
        date_part('epoch', q.created_at) * 1000 as created_ms, date_part('epoch', q.scheduled_for) * 1000 as scheduled_ms,
        q.correlation_id, q.rescues, q.prefetched, q.claim::float8 as claim,
        greatest(date_part('epoch', now() - greatest(q.created_at, q.scheduled_for)) * 1000, 0) as waited_ms)
    select null::uuid as id, null::int as run, null as job_type, null::uuid as collection_node_id,
      json_build_object(
        'alive', (select count(*) from me) > 0,
        'settled', case when (select count(*) from done) < cardinality(${p('ids')}::uuid[]) then array(select id from done) end,
        'started', (select count(*) from begun) > 0,
        'picked', (select count(*) from pick),
        'passed', (select count(*) from judged where not takeable),
        'type_paused', exists (select from paused where collection_node_id is null),
        'collection_paused', exists (select from paused where collection_node_id is not null))::text as payload,
      null::smallint as attempts, null::smallint as max_attempts, null::smallint as priority, null::float8 as created_ms,
      null::float8 as scheduled_ms, null as correlation_id, null::smallint as rescues, null::boolean as prefetched, null::float8 as claim,
      null::float8 as waited_ms
    union all
    select took.* from took`

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
      ids: arrayLiteral(completed.map((run) => run.id)),
      runs: arrayLiteral(completed.map((run) => run.run)),
      results: arrayLiteral(completed.map((run) => run.resultJson)),
      stepped: completed.filter((run) => run.mayHaveSteps).map((run) => run.id),
      starting: rangesOf(work.starting),
      lastStarting: work.starting.reduce((last, claim) => Math.max(last, claim), 0),
      limit: work.limit,
      claim: work.claim,
      freeSlots: work.freeSlots,
      lookahead: work.limit > 0 ? work.lookahead : 0,
      rescuedHeld: work.rescuedHeld,
      lastChanceHeld: work.lastChanceHeld,
    }),
  )
  const [first] = rows
  const summary = first && (JSON.parse(first.payload) as Summary)
  const claimed = rows.slice(1) as unknown as ClaimedJob[]
  return {
    alive: summary?.alive === true,
    settled: new Set(summary?.settled ?? work.completed.map(({ id }) => id)),
    started: summary?.started === true,
    claimed: claimed.sort((a, b) => a.claim - b.claim),
    more: work.limit > 0 && summary?.picked === work.limit,
    passed: summary?.passed ?? 0,
    typePaused: summary?.type_paused === true,
    collectionPaused: summary?.collection_paused === true,
  }
}
