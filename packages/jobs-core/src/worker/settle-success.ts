import type { JsonValue } from '../json/json-value.ts'
import { makeStorable } from '../json/make-storable.ts'
import type { Ending } from '../policy/outcome.ts'
import { findRuns } from '../queue/find-runs.ts'
import { settleWithWrite, type WritingRun } from '../queue/settle-with-write.ts'
import { type ActiveRun, endingOfAbort } from './active-run.ts'
import type { HandlerReturn } from './define-handler.ts'
import { jobFields } from './job-fields.ts'
import type { Runtime } from './runtime.ts'
import { isNobodysFault, whileLeaseHolds } from './while-lease-holds.ts'

/** How often a write is begun anew after a lost connection or somebody's lock: about a minute's worth. */
const maxWriteTries = 60

/** 256 KiB. */
export const MAX_RESULT_BYTES = 262_144

/**
 * Settles a run whose handler returned. Without `write` it joins the next batch; with one it settles in its own transaction.
 * Returns an ending when it turned out a failure after all.
 */
export async function settleSuccess(
  runtime: Runtime,
  run: ActiveRun,
  value: HandlerReturn | undefined,
  mayHaveSteps: boolean,
): Promise<Ending | undefined> {
  try {
    const resultJson = makeStorable(value?.result, 'result', MAX_RESULT_BYTES)
    const settled = { id: run.job.id, run: run.job.run, mayHaveSteps }
    const { write } = value ?? {}
    if (write === undefined) runtime.complete({ ...settled, resultJson, active: run })
    else
      return await settleInTransaction(runtime, run, {
        ...settled,
        collectionNodeId: run.job.collection_node_id,
        write: async (trx) => resultOfWrite(await write(trx), resultJson),
        givenUp: new Promise((resolve) => run.whenGivenUp(resolve)),
      })
    return undefined
  } catch (error) {
    if (!runtime.session.lost.aborted) return { kind: 'threw', error }
    runtime.emit({ name: 'job.gone', reason: 'lost', ...jobFields(run.job) })
    return undefined
  }
}

/**
 * The result as JSON: what `write` resolved to, else what stood beside it.
 * @throws PermanentError `RESULT_INVALID`, `RESULT_TOO_LARGE`
 */
// biome-ignore lint/suspicious/noConfusingVoidType: as HandlerReturn has it
export function resultOfWrite(written: { result: JsonValue } | void, resultJson: string | null): string | null {
  return written === undefined ? resultJson : makeStorable(written.result, 'result', MAX_RESULT_BYTES)
}

async function settleInTransaction(runtime: Runtime, run: ActiveRun, writing: WritingRun): Promise<Ending | undefined> {
  const { leaseMs } = runtime.settings
  const limits = { statementTimeoutMs: leaseMs, idleTimeoutMs: leaseMs }
  let tries = 0
  const outcome = await whileLeaseHolds(
    runtime,
    () => runtime.writing(() => settleWithWrite(runtime.writer, writing, limits)),
    // A statement in `write` may itself be what breaks the connection: not again and again, and not beyond the job's timeout.
    (error) => isNobodysFault(error) && run.cause === undefined && ++tries < maxWriteTries,
  )
  if (outcome.kind === 'threw') return outcome
  if (outcome.kind === 'given_up') return endOfGivenUp(runtime, run)
  if (outcome.kind === 'settled') reportCompleted(runtime, run)
  else await explain(runtime, run, writing)
  return undefined
}

function endOfGivenUp(runtime: Runtime, run: ActiveRun): Ending | undefined {
  const ending = endingOfAbort(run)
  if (ending.kind !== 'lease_lost') return ending
  runtime.emit({ name: 'job.gone', reason: 'lost', ...jobFields(run.job) })
  return undefined
}

/** The run was not there to be settled: it is gone, somebody else's, or an earlier try had committed and only its answer was lost. */
async function explain(runtime: Runtime, run: ActiveRun, writing: WritingRun): Promise<void> {
  const fates = await whileLeaseHolds(runtime, () => findRuns(runtime.queue, runtime.session.id, [writing]))
  const fate = fates.get(writing.id)
  if (fate === 'settled') reportCompleted(runtime, run)
  else runtime.emit({ name: 'job.gone', reason: fate === 'deleted' ? 'deleted' : 'lost', ...jobFields(run.job) })
}

/** Says that a run is completed, once the database says so. */
export function reportCompleted(runtime: Runtime, run: ActiveRun): void {
  runtime.emit({ name: 'job.completed', durationMs: performance.now() - run.startedAt, ...jobFields(run.job) })
}
