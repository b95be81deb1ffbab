import type { Transaction } from 'kysely'
import type { JobDefinition } from '../definition/define-job.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import type { JsonValue } from '../json/json-value.ts'
import { isServiceName } from '../text/is-service-name.ts'
import { show } from '../text/show.ts'

/**
 * The transaction that settles the job. Type your tables with `trx.withTables<MyTables>()`, where MyTables is a
 * `type`, not an `interface`. It must be neither committed nor
 * rolled back nor kept: the queue does that.
 */
export type WriteTransaction = Transaction<unknown>

/** Structured logging for one run; the worker adds job, run and collection. Never log payloads. */
export type JobLog = Record<'debug' | 'info' | 'warn' | 'error', (message: string, fields?: Record<string, unknown>) => void>

/** What a handler may know about the job it runs. */
export interface RunningJob {
  readonly id: string
  readonly type: string
  /** The tenant. Every write belongs to it. */
  readonly collectionNodeId: string
  /** This attempt's number, from 1. */
  readonly attempt: number
  readonly maxAttempts: number
  /** The fence: grows by one at every claim. */
  readonly run: number
  readonly priority: number
  readonly createdAt: Date
  readonly scheduledFor: Date
  readonly correlationId: string | null
}

/** What a handler is given for one run of a job. */
export interface HandlerContext<Payload> {
  /** The schema's output for the stored payload. */
  readonly payload: Payload
  readonly job: RunningJob
  /** Aborts at the timeout, when the worker must stop, when the job is cancelled and when the lease is lost. Pass it on to every call. */
  readonly signal: AbortSignal
  /** Shown on the page beside the attempt: `fraction` from 0 to 1 and a few words. Cheap; written at most once a second. */
  readonly progress: (fraction: number, text?: string) => void
  /**
   * Runs `fn` once per job, not once per attempt: its JSON result (at most 1 MiB) is stored as soon as it returns, and a later
   * attempt gets the stored result instead. Only a crash between the answer and that commit repeats `fn`.
   */
  readonly step: <T extends JsonValue>(name: string, fn: () => Promise<T>) => Promise<T>
  readonly log: JobLog
}

/** What a handler may leave behind; both parts are optional. */
export interface HandlerReturn {
  /** Stored in `job_queue.result`, at most 256 KiB of JSON. */
  result?: JsonValue
  /**
   * Runs inside the transaction that completes the job, after the fence: what it writes commits together with the completion, or
   * not at all. Follow-up jobs are enqueued here. After a deadlock or a broken connection it is called again: only run statements
   * of `trx` in it, nothing that a rollback does not undo, and nothing slow: a statement, or a time without any, that is longer than the
   * lease fails the attempt.
   *
   * May resolve to `{ result }`, which is stored instead of the one beside it: for what only the database could tell.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a write with nothing to report just ends
  write?: (trx: WriteTransaction) => Promise<{ result: JsonValue } | void>
}

/** The code that runs one job type. */
export interface Handler {
  readonly definition: JobDefinition
  readonly run: (context: HandlerContext<unknown>) => Promise<HandlerReturn | undefined>
  /** See {@link HandlerOptions}. */
  readonly services?: readonly string[] | undefined
}

/** What {@link defineHandler} may be told beside the code. */
export interface HandlerOptions {
  /**
   * The services outside, by their names, that no job of this type can do without. While the breaker of one of them is open (`createBreaker` of
   * jobs-kit), workers leave the type alone. Lower case, a letter first, at most 63 characters. Default: none.
   */
  services?: readonly string[] | undefined
}

/**
 * Ties a definition to the code that runs it. The slow part runs outside any transaction; database effects belong in the
 * returned `write`. Throw a `PermanentError` when another attempt cannot help, a `SnoozeError` to come back later uncharged;
 * anything else thrown is tried again.
 * @throws ConfigurationError `DEFINITION_INVALID` for a name of a service that is none.
 */
export function defineHandler<Input, Output>(
  definition: JobDefinition<Input, Output>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler with nothing to report just ends
  run: (context: HandlerContext<Output>) => Promise<HandlerReturn | void>,
  options: HandlerOptions = {},
): Handler {
  const services = [...new Set(options.services)]
  const wrong = services.find((service) => !isServiceName(service))
  if (wrong !== undefined) {
    throw new ConfigurationError(
      'DEFINITION_INVALID',
      `defineHandler(${show(definition.type)}): a service is named in lower case, a letter first, at most 63 characters; got ${show(wrong)}.`,
    )
  }
  return Object.freeze({
    definition: definition as JobDefinition,
    // `async` also turns a handler that throws synchronously into a rejection.
    run: async (context: HandlerContext<unknown>) => (await run(context as HandlerContext<Output>)) ?? undefined,
    services: Object.freeze(services),
  })
}
