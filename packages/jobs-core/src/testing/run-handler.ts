import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { checkAgainstSchema, payloadToJson } from '../enqueue/check-payload.ts'
import type { JsonValue } from '../json/json-value.ts'
import { makeStorable } from '../json/make-storable.ts'
import { parsePayload } from '../json/parse-payload.ts'
import type { Handler, HandlerContext, RunningJob, WriteTransaction } from '../worker/define-handler.ts'
import { MAX_RESULT_BYTES, resultOfWrite } from '../worker/settle-success.ts'
import { checkStepName, MAX_STEP_BYTES } from '../worker/steps.ts'

/** What a handler is to be run with. */
export interface RunHandlerOptions<Database = unknown> {
  /** As it is stored; it is checked against the definition's schema first. */
  payload: unknown
  /** The job as the handler sees it. Default: the first attempt of a job of a random collection. */
  job?: Partial<RunningJob>
  /** Where `write` runs, in a transaction of its own. Without it a returned `write` is not called. */
  db?: Kysely<Database>
  /** The handler's signal. Default: one that never aborts. */
  signal?: AbortSignal
  /** Results of steps that an earlier attempt is to have stored, by name. */
  steps?: Record<string, JsonValue>
}

/** What one run of a handler left behind. */
export interface HandlerRun {
  result: JsonValue
  /** What was reported, in order. */
  progress: { fraction: number; text: string | undefined }[]
  logs: { level: string; message: string; fields: Record<string, unknown> }[]
  /** Names and results of the steps, stored ones included. */
  steps: Record<string, JsonValue>
  /** True when the handler returned a `write` and it was committed. */
  written: boolean
}

/**
 * Runs a handler once, without a queue: the payload is checked as a worker would, `write` runs in a transaction. What the handler
 * throws is thrown.
 */
export async function runHandler<Database>(handler: Handler, options: RunHandlerOptions<Database>): Promise<HandlerRun> {
  const { definition } = handler
  const run: HandlerRun = { result: null, progress: [], logs: [], steps: { ...options.steps }, written: false }
  const payload = await checkAgainstSchema(definition, parsePayload(payloadToJson(options.payload, definition.type)), definition.type)
  const log =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      run.logs.push({ level, message, fields })
    }
  const value = await handler.run({
    payload,
    job: {
      id: randomUUID(),
      type: definition.type,
      collectionNodeId: randomUUID(),
      attempt: 1,
      maxAttempts: definition.maxAttempts,
      run: 1,
      priority: definition.priority,
      createdAt: new Date(),
      scheduledFor: new Date(),
      correlationId: null,
      ...options.job,
    },
    signal: options.signal ?? new AbortController().signal,
    progress: (fraction, text) => {
      run.progress.push({ fraction, text })
    },
    step: createSteps(run.steps),
    log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
  })
  let resultJson = makeStorable(value?.result, 'result', MAX_RESULT_BYTES)
  const write = value?.write
  if (write && options.db) {
    resultJson = await options.db
      .transaction()
      .execute(async (trx) => resultOfWrite(await write(trx as unknown as WriteTransaction), resultJson))
    run.written = true
  }
  run.result = JSON.parse(resultJson ?? 'null')
  return run
}

/** As a worker's steps, without a database: stored results come back, new ones are what JSON makes of them. */
function createSteps(stored: Record<string, JsonValue>): HandlerContext<unknown>['step'] {
  const begun = new Set<string>()
  return async <T extends JsonValue>(name: string, fn: () => Promise<T>) => {
    checkStepName(name, begun)
    begun.add(name)
    if (!Object.hasOwn(stored, name)) {
      stored[name] = JSON.parse(makeStorable((await fn()) ?? null, `result of step ${JSON.stringify(name)}`, MAX_STEP_BYTES) as string)
    }
    return stored[name] as T
  }
}
