import { checkAgainstSchema } from '../enqueue/check-payload.ts'
import { parsePayload } from '../json/parse-payload.ts'
import { decideOutcome, type Ending } from '../policy/outcome.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import { type ActiveRun, endingOfAbort, openRun } from './active-run.ts'
import type { Handler, HandlerReturn } from './define-handler.ts'
import { jobFields } from './job-fields.ts'
import { createContext, type RunContext } from './run-context.ts'
import type { Runtime } from './runtime.ts'
import { settleEnding } from './settle-ending.ts'
import { settleSuccess } from './settle-success.ts'

type Performed = { kind: 'returned'; value: HandlerReturn | undefined } | Ending | { kind: 'lease_lost' }

/** A job's life in a worker: open → perform → settle. Never rejects. */
export async function runJob(runtime: Runtime, job: ClaimedJob, handler: Handler): Promise<void> {
  const run = openRun(job, handler.definition.timeoutMs)
  runtime.active.set(job.id, run)
  runtime.emit({ name: 'job.started', waitedMs: job.waited_ms, ...jobFields(job) })
  const context = createContext(runtime, run)
  try {
    const performed = await perform(runtime, run, handler, context)
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
function perform({ zombies }: Runtime, run: ActiveRun, handler: Handler, context: RunContext): Promise<Performed> {
  return new Promise((resolve) => {
    const called = callHandler(run, handler, context)
    called.then(resolve)
    run.whenGivenUp(() => {
      zombies.add(called, run.job.job_type)
      resolve(endingOfAbort(run))
    })
  })
}

async function callHandler(run: ActiveRun, handler: Handler, context: RunContext): Promise<Performed> {
  try {
    const { definition } = handler
    const payload = await checkAgainstSchema(definition, parsePayload(run.job.payload), definition.type)
    const value = await handler.run(context.forHandler(payload))
    // A result that is there counts, even when the stop came in between; only a lost lease makes it worthless.
    return run.cause === 'lease_lost' ? { kind: 'lease_lost' } : { kind: 'returned', value }
  } catch (error) {
    return run.cause === undefined ? { kind: 'threw', error } : endingOfAbort(run)
  }
}
