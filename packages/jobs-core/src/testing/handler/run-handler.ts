import { randomUUID } from 'node:crypto'
import type { JobDefinition } from '../../definition/define-job.ts'
import { checkAgainstSchema, payloadToJson } from '../../enqueue/check-payload.ts'
import type { JsonValue } from '../../json/json-value.ts'
import { makeStorable } from '../../json/make-storable.ts'
import { parsePayload } from '../../json/parse-payload.ts'
import type { Handler, HandlerReturn, JobLog, RunningJob } from '../../worker/define-handler.ts'
import { MAX_RESULT_BYTES, resultOfWrite } from '../../worker/settle-success.ts'
import { type Connections, workerConnections } from '../server/connections.ts'
import { startTimeout } from './run-timeout.ts'
import { createSteps } from './steps.ts'

/** What a handler is to be run with. */
export interface RunHandlerOptions {
  /** As it is given to `enqueue`; it is checked against the definition's schema first. */
  payload: unknown
  /** The job as the handler sees it: `{ attempt: 3 }`. Default: the first attempt of a job of a random collection. */
  job?: Partial<RunningJob>
  /** Where `write` runs, in a transaction of its own. Without it a returned `write` is not called. */
  db?: Connections
  /** Aborts the handler's signal when it aborts, as a worker that stops would. Default: never. */
  signal?: AbortSignal
  /** After how long the handler's signal aborts with `JOB_TIMEOUT`, in milliseconds. Default: the definition's. */
  timeoutMs?: number
  /** Results of steps that an earlier attempt is to have stored, by name. */
  steps?: Record<string, JsonValue>
}

/** What one run of a handler left behind. */
export interface HandlerRun<Result = JsonValue> {
  /** As it is read back from `job_queue.result`. */
  result: Result
  /** What was reported, in order. */
  progress: { fraction: number; text: string | undefined }[]
  logs: { level: keyof JobLog; message: string; fields: Record<string, unknown> }[]
  /** Names and results of the steps, stored ones included. */
  steps: Record<string, JsonValue>
  /** True when the handler returned a `write` and it was committed. */
  written: boolean
}

/**
 * Runs a handler once, without a queue: the payload is checked as a worker would, steps and result must be storable, `write` runs in a
 * transaction.
 *
 * ```ts
 * const run = await runHandler<Result>(handler, { payload: { title: 'Hello' }, job: { attempt: 2 }, db })
 * ```
 *
 * @throws what the handler throws. After a timeout `JOB_TIMEOUT`, two seconds later also when the handler has not ended, unless it returned
 * a result all the same.
 */
export async function runHandler<Result = JsonValue>(handler: Handler, options: RunHandlerOptions): Promise<HandlerRun<Result>> {
  const { definition } = handler
  const left: HandlerRun = { result: null, progress: [], logs: [], steps: { ...options.steps }, written: false }
  const payload = await checkAgainstSchema(definition, parsePayload(payloadToJson(options.payload, definition.type)), definition.type)
  const value = await callHandler(handler, payload, options, left)
  let resultJson = makeStorable(value?.result, 'result', MAX_RESULT_BYTES)
  const write = value?.write
  if (write && options.db) {
    const { writer } = workerConnections(options.db, 'runHandler')
    resultJson = await writer.transaction().execute(async (trx) => resultOfWrite(await write(trx), resultJson))
    left.written = true
  }
  left.result = JSON.parse(resultJson ?? 'null')
  return left as HandlerRun<Result>
}

async function callHandler(
  handler: Handler,
  payload: unknown,
  options: RunHandlerOptions,
  left: HandlerRun,
): Promise<HandlerReturn | undefined> {
  const timeout = startTimeout(options.timeoutMs ?? handler.definition.timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal
  const context = {
    payload,
    job: describeJob(handler.definition, options.job),
    signal,
    progress: (fraction: number, text?: string) => void left.progress.push({ fraction, text }),
    step: createSteps(left.steps, signal),
    log: createLog(left),
  }
  try {
    return await Promise.race([handler.run(context), timeout.givenUp])
  } catch (error) {
    throw timeout.signal.aborted ? timeout.signal.reason : error
  } finally {
    timeout.close()
  }
}

function describeJob({ type, maxAttempts, priority }: JobDefinition, given: Partial<RunningJob> = {}): RunningJob {
  const now = new Date()
  return {
    ...{ id: randomUUID(), type, collectionNodeId: randomUUID(), attempt: 1, maxAttempts, run: given.attempt ?? 1, priority },
    ...{ createdAt: now, scheduledFor: now, correlationId: null },
    ...given,
  }
}

function createLog({ logs }: HandlerRun): JobLog {
  const at =
    (level: keyof JobLog) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void logs.push({ level, message, fields })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
