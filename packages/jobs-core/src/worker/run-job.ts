import { checkAgainstSchema } from '../enqueue/check-payload.ts'
import { parsePayload } from '../json/parse-payload.ts'
import { decideOutcome, type Ending } from '../policy/outcome.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import { type ActiveRun, openRun } from './active-run.ts'
import type { Handler, HandlerReturn } from './define-handler.ts'
import { jobFields } from './job-fields.ts'
import { createContext, type RunContext } from './run-context.ts'
import type { Runtime } from './runtime.ts'
import { settleEnding } from './settle-ending.ts'
import { settleSuccess } from './settle-success.ts'

/** How long a handler may take to obey its signal before its slot is given to another job. */
export const ABORT_GRACE_MS = 2_000

type Performed = { kind: 'returned'; value: HandlerReturn | undefined } | Ending | { kind: 'lease_lost' }

/** A job's life in a worker: open → perform → settle. Never rejects. */
export async function runJob(runtime: Runtime, job: ClaimedJob, handler: Handler): Promise<void> {
  const run = openRun(job, handler.definition.timeoutMs)
  runtime.active.set(job.id, run)
  runtime.emit({ name: 'job.started', ...jobFields(job) })
  const context = createContext(runtime, run)
  try {
    const performed = await perform(run, handler, context)
    context.close()
    if (performed.kind === 'lease_lost') return
    const ending = performed.kind === 'returned' ? await settleSuccess(runtime, run, performed.value, context.mayHaveSteps()) : performed
    if (ending) await settleEnding(runtime, run, decideOutcome(ending, job.attempts, Math.random()))
  } finally {
    run.close()
    if (runtime.active.get(job.id) === run) runtime.active.delete(job.id)
  }
}

/** Runs the handler until it ends or, some time after its signal was aborted, is given up. */
async function perform(run: ActiveRun, handler: Handler, context: RunContext): Promise<Performed> {
  let giveUp: NodeJS.Timeout | undefined
  const abandoned = new Promise<Performed>((resolve) => {
    run.signal.addEventListener('abort', () => {
      giveUp = setTimeout(() => resolve(endingAfterAbort(run)), run.cause === 'lease_lost' ? 0 : ABORT_GRACE_MS)
    })
  })
  const performed = await Promise.race([callHandler(run, handler, context), abandoned])
  clearTimeout(giveUp)
  return performed
}

async function callHandler(run: ActiveRun, handler: Handler, context: RunContext): Promise<Performed> {
  try {
    const { definition } = handler
    const payload = await checkAgainstSchema(definition, parsePayload(run.job.payload), definition.type)
    const value = await handler.run({ ...context.handlerContext, payload })
    // A result that is there counts, even when the stop came in between; only a lost lease makes it worthless.
    return run.cause === 'lease_lost' ? { kind: 'lease_lost' } : { kind: 'returned', value }
  } catch (error) {
    return run.cause === undefined ? { kind: 'threw', error } : endingAfterAbort(run)
  }
}

function endingAfterAbort(run: ActiveRun): Performed {
  switch (run.cause) {
    case 'timeout':
      return { kind: 'timeout', error: run.signal.reason }
    case 'cancelled':
      return { kind: 'cancelled' }
    case 'lease_lost':
      return { kind: 'lease_lost' }
    default:
      return { kind: 'interrupted' }
  }
}
