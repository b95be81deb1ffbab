import { isConnectionLoss, isContention, isServerTrouble } from '../database/sql-state.ts'
import { describeError, type ErrorDescription } from '../errors/describe-error.ts'
import type { Outcome } from '../policy/outcome.ts'
import { findRuns } from '../queue/find-runs.ts'
import type { SettledEnding } from '../queue/settle-endings.ts'
import type { ActiveRun } from './active-run.ts'
import type { WorkerEvent } from './events.ts'
import { jobFields } from './job-fields.ts'
import type { Runtime } from './runtime.ts'
import { whileLeaseHolds } from './while-lease-holds.ts'

/** Settles a run that did not succeed and says what became of the job. Never rejects; a locked row is left to be settled apart. */
export async function settleEnding(runtime: Runtime, run: ActiveRun, outcome: Outcome): Promise<void> {
  try {
    await settleSomehow(runtime, run, outcome)
  } catch (error) {
    runtime.emit({ name: 'settle.retried', jobs: 1, error: describeError(error) })
    runtime.apart.add({ job: run.job, settle: () => settleSomehow(runtime, run, outcome) })
  }
}

/**
 * An error that PostgreSQL will not store is replaced by one it will: a job must not stay `running` because of what its error says.
 * @throws when that did not go either: then it is tried again apart, for as long as the lease holds.
 */
async function settleSomehow(runtime: Runtime, run: ActiveRun, outcome: Outcome): Promise<void> {
  try {
    await settle(runtime, run, outcome)
  } catch (error) {
    if (isContention(error)) throw error
    if (runtime.session.lost.aborted) return runtime.emit({ name: 'job.gone', reason: 'lost', ...jobFields(run.job) })
    await settle(runtime, run, { ...outcome, error: unstorable(error) })
  }
}

async function settle(runtime: Runtime, run: ActiveRun, outcome: Outcome): Promise<void> {
  const ended = { id: run.job.id, run: run.job.run, outcome }
  const settled = await whileLeaseHolds(
    runtime,
    () => runtime.settleEnded(ended),
    (error) => isConnectionLoss(error) || isServerTrouble(error),
  )
  if (settled) return runtime.emit(toEvent(run, outcome, settled))
  const fates = await whileLeaseHolds(runtime, () => findRuns(runtime.queue, runtime.session.id, [ended]))
  const fate = fates.get(run.job.id)
  // An earlier try had committed, and only its answer was lost.
  if (fate === 'settled' || fate === 'waiting') return
  runtime.emit({ name: 'job.gone', reason: fate === 'deleted' ? 'deleted' : 'lost', ...jobFields(run.job) })
}

function unstorable(error: unknown): ErrorDescription {
  const { message } = describeError(error)
  return { code: 'ERROR_NOT_STORABLE', message: `The job failed, and what it failed with could not be stored: ${message}`, stack: null }
}

function toEvent(run: ActiveRun, outcome: Outcome, settled: SettledEnding): WorkerEvent {
  const fields = { ...jobFields(run.job), durationMs: performance.now() - run.startedAt }
  if (settled.status === 'cancelled') return { name: 'job.cancelled', ...fields }
  if (outcome.kind === 'snoozed' && settled.status !== 'error') {
    return { name: 'job.snoozed', retryAt: settled.scheduled_for, reason: outcome.error.message, ...fields }
  }
  if (outcome.kind === 'released' || outcome.kind === 'unstarted') {
    return { name: 'job.released', started: outcome.kind === 'released', ...jobFields(run.job) }
  }
  const failed = { name: 'job.failed', error: outcome.error, ...fields } as const
  if (settled.status !== 'error') return { ...failed, final: false, finalReason: null, retryAt: settled.scheduled_for }
  const finalReason = outcome.kind === 'snoozed' ? 'snoozed_too_often' : outcome.permanent ? 'permanent' : 'no_attempts_left'
  return { ...failed, final: true, finalReason, retryAt: null }
}
