import { type Kysely, sql, type Transaction } from 'kysely'
import { isConnectionLoss, sqlState } from '../database/sql-state.ts'
import { PermanentError } from '../errors/permanent-error.ts'
import { TransientError } from '../errors/transient-error.ts'
import type { WriteTransaction } from '../worker/define-handler.ts'
import { explainWriteError } from './explain-refusal.ts'
import { type WatchedTransaction, watchIdle } from './watch-idle.ts'

export interface WritingRun {
  id: string
  run: number
  collectionNodeId: string
  mayHaveSteps: boolean
  /** Resolves to the job's result as JSON. */
  write: (trx: WriteTransaction) => Promise<string | null>
  /** Resolves when nobody waits for the write any more: its run was aborted some time ago. */
  givenUp: Promise<void>
}

export interface WriteLimits {
  /** No statement of the write may take longer. */
  statementTimeoutMs: number
  /** A worker that is stopped inside its write lets go after this long. */
  idleTimeoutMs: number
}

export type WriteOutcome =
  | { kind: 'settled'; resultJson: string | null }
  /** The run is not this worker's: `write` was not called. */
  | { kind: 'not_ours' }
  /** `write` threw by its own fault, not the database's; everything was rolled back. */
  | { kind: 'threw'; error: unknown }
  /** `write` had not ended when the run was given up; everything was rolled back. */
  | { kind: 'given_up' }

/**
 * Completes a job together with what its handler writes. The fence comes first: `write` is only called for a run that is still
 * this worker's, and commits with the completion or not at all.
 *
 * Order of locks: the collection's node, then the job, as a user's delete of the node takes them.
 *
 * @throws what the database answers: connections that break, locks and deadlocks, which the caller tries again; errors at commit; and
 * `WRITE_ENDED_TRANSACTION` when `write` committed or rolled back by itself.
 */
export async function settleWithWrite(db: Kysely<unknown>, run: WritingRun, limits: WriteLimits): Promise<WriteOutcome> {
  let outcome: WriteOutcome = { kind: 'not_ours' }
  const leave = Symbol('roll back')
  let watched: WatchedTransaction | undefined
  try {
    await db.transaction().execute(async (trx) => {
      await enter(trx, run, limits)
      if (await lockRun(trx, run)) {
        watched = watchIdle(trx)
        outcome = await callWrite(trx, watched.trx, run)
      }
      if (outcome.kind !== 'settled') throw leave
      if (!(await complete(trx, run, outcome.resultJson))) throw transactionEnded()
    })
  } catch (error) {
    if (isConnectionLoss(error) && watched && watched.longestIdleMs() >= limits.idleTimeoutMs) {
      return { kind: 'threw', error: idleTooLong(limits, error) }
    }
    if (error !== leave) throw error
  }
  return outcome
}

/**
 * Whose fault is it when `write` throws? Locks, deadlocks and a connection that broke are nobody's, unless the server ended it because
 * `write` left it idle. Whatever else it threw is its own, also what looks like a lost database but came from elsewhere: the connection
 * it was given is alive.
 */
async function callWrite(trx: Transaction<unknown>, watched: Transaction<unknown>, run: WritingRun): Promise<WriteOutcome> {
  try {
    const settled = run.write(watched).then((resultJson) => ({ kind: 'settled' as const, resultJson }))
    return await Promise.race([settled, run.givenUp.then(() => ({ kind: 'given_up' as const }))])
  } catch (error) {
    if (tryAgainStates.has(sqlState(error) ?? '') || !(await isAlive(trx))) throw error
    return { kind: 'threw', error: explainWriteError(error) }
  }
}

/** Serialization failure, deadlock, lock_timeout. A statement that took too long (57014) would take as long again. */
const tryAgainStates = new Set(['40001', '40P01', '55P03'])

async function isAlive(trx: Transaction<unknown>): Promise<boolean> {
  try {
    await sql`select`.execute(trx)
    return true
  } catch (error) {
    // The server answers, if only that the transaction is aborted.
    return sqlState(error) !== undefined && !isConnectionLoss(error)
  }
}

/**
 * Limits and tenant of this transaction, and the mark that shows at the end that it is still the same one. `jobs.collection` is what
 * the policies of migrations/roles compare rows with.
 */
async function enter(trx: Transaction<unknown>, run: WritingRun, limits: WriteLimits): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${String(limits.statementTimeoutMs)}, true),
      set_config('idle_in_transaction_session_timeout', ${String(limits.idleTimeoutMs)}, true),
      set_config('lock_timeout', '10s', true),
      set_config('jobs.collection', ${run.collectionNodeId}, true),
      set_config('jobs.run', ${mark(run)}, true)`.execute(trx)
  await sql`select from nodes where id = ${run.collectionNodeId}::uuid for key share`.execute(trx)
}

async function lockRun(trx: Transaction<unknown>, run: WritingRun): Promise<boolean> {
  const { rows } = await sql`
    select id from job_queue where id = ${run.id}::uuid and run = ${run.run} and status = 'running' for no key update`.execute(trx)
  return rows.length > 0
}

async function complete(trx: Transaction<unknown>, run: WritingRun, resultJson: string | null): Promise<boolean> {
  const { rows } = await sql`
    update job_queue
    set status = 'completed', completed_at = clock_timestamp(), result = ${resultJson}::jsonb, error_msg = null,
      unique_held = false, cancel_requested_at = null, prefetched = false
    where id = ${run.id}::uuid and run = ${run.run} and status = 'running' and current_setting('jobs.run', true) = ${mark(run)}
    returning id`.execute(trx)
  if (rows.length === 0) return false
  if (run.mayHaveSteps) await sql`delete from job_steps where job_id = ${run.id}::uuid`.execute(trx)
  return true
}

function mark(run: WritingRun): string {
  return `${run.id}:${run.run}`
}

function idleTooLong({ idleTimeoutMs }: WriteLimits, cause: unknown): TransientError {
  return new TransientError(
    'WRITE_IDLE',
    `write(trx) left its transaction without a statement for longer than the lease (${idleTimeoutMs} ms), so the server ended it. Do what takes time in the handler, before write.`,
    { cause },
  )
}

function transactionEnded(): PermanentError {
  return new PermanentError(
    'WRITE_ENDED_TRANSACTION',
    'write(trx) committed or rolled back the transaction it was given. Only run statements in it: the queue commits them together with the job.',
  )
}
