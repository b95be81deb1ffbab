import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { openWriter } from '../database/open-writer.ts'
import { openQueueConnection, type QueueConnection } from '../database/queue-connection.ts'
import { describeError } from '../errors/describe-error.ts'
import { isJobsError } from '../errors/jobs-error.ts'
import { checkSchema } from '../queue/check-schema.ts'
import type { OnWorkerEvent } from './events.ts'
import { resolveOptions, type WorkerOptions } from './options.ts'
import { createPulse } from './pulse.ts'
import { type RunningSession, startSession } from './running-session.ts'
import { createSlots } from './slots.ts'

const firstRetryMs = 200
const maxRetryMs = 5_000
const maxWriters = 10

/** A worker of this process, from its registration to its end. It cannot be started again. */
export interface Worker {
  /**
   * Resolves when the worker is registered and takes jobs. While the database is away it waits and tries again.
   * @throws ConfigurationError `SCHEMA_MISSING`
   */
  start(): Promise<void>
  /**
   * Stops gracefully: claims nothing more, hands back what has not started, lets running jobs finish for `drainMs`, then aborts
   * their signals and hands back what is left, uncharged. Safe to call more than once.
   */
  stop(): Promise<void>
  /** Resolves when the worker has stopped. */
  readonly stopped: Promise<void>
}

/**
 * Makes a worker that runs `handlers` on the jobs of a database. Does nothing until `start()`.
 * @throws ConfigurationError `WORKER_OPTION_INVALID`, `TYPE_NOT_IN_BUILD`, `DUPLICATE_TYPE`
 */
export function createWorker(options: WorkerOptions): Worker {
  const settings = resolveOptions(options)
  const emit = guarded(options.onEvent)
  const slots = createSlots(settings.maxConcurrent)
  const pulse = createPulse()
  let stopping = false
  let connections: { queue: QueueConnection; writer: Kysely<unknown> } | undefined
  let session: RunningSession | undefined
  let markStopped: () => void = () => {}
  const stopped = new Promise<void>((resolve) => {
    markStopped = resolve
  })
  let starting: Promise<void> | undefined
  /** Registering anew, after a lost lease. */
  let beginning: Promise<void> | undefined
  let stop: Promise<void> | undefined

  async function start(): Promise<void> {
    if (stopping) return
    connections = {
      queue: openQueueConnection(settings.connection, 2),
      writer: openWriter(settings.connection, Math.min(settings.maxConcurrent, maxWriters)),
    }
    if (settings.handlers.size === 0) emit({ name: 'no.handlers' })
    await beginSession(connections)
  }

  /** Registers, and does so anew under another id whenever the lease was lost. */
  async function beginSession({ queue, writer }: NonNullable<typeof connections>): Promise<void> {
    await whenReachable(() => checkSchema(queue))
    if (stopping) return
    const begun = await whenReachable(() => startSession({ settings, queue, writer, slots, emit, id: randomUUID() }))
    if (begun === undefined) return
    session = begun
    begun.lost.then(() => {
      if (stopping) return
      beginning = beginSession({ queue, writer }).catch((error) =>
        emit({ name: 'database.lost', during: 'start', error: describeError(error) }),
      )
    })
  }

  async function whenReachable<T>(fn: () => Promise<T>): Promise<T | undefined> {
    for (let retryMs = firstRetryMs; !stopping; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      try {
        return await fn()
      } catch (error) {
        if (isJobsError(error, 'configuration')) throw error
        emit({ name: 'database.lost', during: 'start', error: describeError(error) })
        await pulse.sleep(retryMs)
      }
    }
    return undefined
  }

  async function shutDown(): Promise<void> {
    stopping = true
    pulse.wake()
    await starting?.catch(() => {})
    await beginning
    await session?.stop()
    await connections?.queue.close()
    await connections?.writer.destroy()
    emit({ name: 'worker.stopped' })
    markStopped()
  }

  return {
    start() {
      starting ??= start()
      return starting
    },
    stop() {
      stop ??= shutDown()
      return stop
    },
    stopped,
  }
}

/** A listener that throws must not take the worker with it. */
function guarded(onEvent: OnWorkerEvent | undefined): OnWorkerEvent {
  return (event) => {
    try {
      onEvent?.(event)
    } catch {
      // Nobody is left to tell.
    }
  }
}
