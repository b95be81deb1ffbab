import { isConnectionLoss, isContention, isServerTrouble } from '../database/sql-state.ts'
import { describeError } from '../errors/describe-error.ts'
import { decideOutcome } from '../policy/outcome.ts'
import { findRuns } from '../queue/find-runs.ts'
import { settleAndClaim } from '../queue/settle-and-claim.ts'
import type { Completion, Completions } from './completions.ts'
import { jobFields } from './job-fields.ts'
import type { Runtime } from './runtime.ts'
import { settleEnding } from './settle-ending.ts'
import { reportCompleted } from './settle-success.ts'

const flushRetryMs = 250

/** After a statement: reports the runs it settled and finds out about those it did not find. */
export async function reportBatch(
  runtime: Runtime,
  completions: Completions,
  { batch, settled }: { batch: readonly Completion[]; settled: ReadonlySet<string> },
): Promise<void> {
  const missing: Completion[] = []
  for (const completion of batch) {
    if (settled.has(completion.id)) reportCompleted(runtime, completion.active)
    else missing.push(completion)
  }
  if (missing.length > 0) await explain(runtime, completions, missing)
}

/** No row was updated: the job is gone, somebody else's, or an earlier try had committed and only its answer was lost. */
async function explain(runtime: Runtime, completions: Completions, missing: readonly Completion[]): Promise<void> {
  try {
    const fates = await findRuns(runtime.queue, runtime.session.id, missing)
    for (const completion of missing) {
      const fate = fates.get(completion.id)
      if (fate === 'settled') reportCompleted(runtime, completion.active)
      else if (fate === 'still_running') completions.add(completion)
      else runtime.emit({ name: 'job.gone', reason: fate === 'deleted' ? 'deleted' : 'lost', ...jobFields(completion.active.job) })
    }
  } catch {
    for (const completion of missing) completions.add(completion)
  }
}

/**
 * After a statement that failed: keeps its runs for the next when the connection was lost, else settles them one by one and beside
 * the loop, because one of them is the reason. A locked or unstorable row must not hold up the others.
 */
export function settleAgain(runtime: Runtime, completions: Completions, batch: readonly Completion[], error: unknown): void {
  if (batch.length === 0) return
  runtime.emit({ name: 'settle.retried', jobs: batch.length, error: describeError(error) })
  for (const completion of batch) {
    if (isConnectionLoss(error)) completions.add(completion)
    else runtime.apart.add({ job: completion.active.job, settle: () => settleAlone(runtime, completions, completion) })
  }
}

/** @throws when the row is locked, or the server in trouble. */
async function settleAlone(runtime: Runtime, completions: Completions, completion: Completion): Promise<void> {
  try {
    await settleOnly(runtime, completions, [completion])
  } catch (error) {
    if (isContention(error) || isServerTrouble(error)) throw error
    if (isConnectionLoss(error)) return completions.add(completion)
    const { active } = completion
    await settleEnding(runtime, active, decideOutcome({ kind: 'threw', error }, active.job.attempts, Math.random()))
  }
}

/** Settles everything that waits, before the worker stops; gives up when the lease is lost. */
export async function flush(runtime: Runtime, completions: Completions): Promise<void> {
  while (!runtime.session.lost.aborted) {
    const batch = completions.take()
    if (batch.length === 0) {
      await runtime.apart.idle()
      if (completions.jobs().length === 0) return
      continue
    }
    try {
      await settleOnly(runtime, completions, batch)
    } catch (error) {
      settleAgain(runtime, completions, batch, error)
      await new Promise((resolve) => setTimeout(resolve, flushRetryMs))
    }
  }
}

/** Settles, and claims nothing. @throws what the statement does. */
export async function settleOnly(runtime: Runtime, completions: Completions, batch: readonly Completion[]): Promise<void> {
  const nothing = {
    types: [],
    starting: [],
    limit: 0,
    claim: 0,
    freeSlots: 0,
    lookahead: 0,
    rescuedHeld: 0,
    lastChanceHeld: false,
    byType: false,
  }
  const { settled } = await settleAndClaim(runtime.queue, { ...nothing, workerId: runtime.session.id, completed: batch })
  await reportBatch(runtime, completions, { batch, settled })
}
