import { QueueError } from '../errors/queue-error.ts'
import { within } from './deadline.ts'
import type { OnWorkerEvent } from './events.ts'
import { openConnections } from './open-connections.ts'
import { resolveOptions, type WorkerOptions } from './options.ts'
import { createOutage } from './outage.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSlots } from './slots.ts'
import { createZombies } from './zombies.ts'

/** A connection that is dead without saying so cannot be closed; the worker does not wait for it. */
const closeMs = 500

/** A worker of this process; see {@link createWorker}. */
export interface Worker {
  /**
   * Resolves when the worker is registered and takes jobs. While the database is away it waits and tries again.
   * @throws ConfigurationError `SCHEMA_MISSING`; with `strictRoles` also `ROLE_UNBOUND`
   */
  start(): Promise<void>
  /**
   * Stops gracefully: claims nothing more, hands back what has not started, lets running jobs finish for `drainMs`, then aborts
   * their signals and hands back what is left, uncharged. Call it again with a smaller `drainMs` to hurry: 0 aborts at once.
   * Default of `drainMs`: the worker's option.
   */
  stop(options?: { drainMs?: number }): Promise<void>
  /**
   * Resolves when the worker has stopped. Rejects when it had to give up: the database is not the one it was any more, or
   * its handlers ignore their signals (QueueError `HANDLERS_STUCK`). Start a new process then.
   */
  readonly stopped: Promise<void>
}

interface Parts {
  /** Closes every connection. */
  close(): Promise<unknown>
  sessions: Sessions
}

/**
 * Makes a worker that runs `handlers` on the jobs of a database. Does nothing until `start()`.
 * @throws ConfigurationError `WORKER_OPTION_INVALID`, `TYPE_NOT_IN_BUILD`, `DUPLICATE_TYPE`
 */
export function createWorker(options: WorkerOptions): Worker {
  const settings = resolveOptions(options)
  const emit = guarded(options.onEvent)
  const ended = Promise.withResolvers<void>()
  // Whoever does not ask for it is not to be ended by it.
  ended.promise.catch(() => {})
  let parts: Parts | undefined
  let starting: Promise<void> | undefined
  let closing: Promise<void> | undefined
  /** Why it had to give up. */
  let failure: { error: unknown } | undefined

  async function start(): Promise<void> {
    if (settings.handlers.size === 0) emit({ name: 'no.handlers' })
    const connections = openConnections(settings, emit)
    const slots = createSlots(settings.maxConcurrent)
    const zombies = createZombies(settings.maxConcurrent, {
      onZombie: (jobType) => emit({ name: 'handler.stuck', jobType }),
      onFull: (jobTypes) => giveUp(handlersStuck(jobTypes), settings.drainMs),
    })
    const sessions = createSessions({ settings, ...connections, slots, emit, zombies, outage: createOutage(emit) }, (error) =>
      giveUp(error, 0),
    )
    parts = { close: connections.close, sessions }
    await sessions.begin().catch(async (error) => {
      await close(0)
      throw error
    })
  }

  function giveUp(error: unknown, drainMs: number): void {
    failure ??= { error }
    void close(drainMs)
  }

  async function close(drainMs: number): Promise<void> {
    const ending = parts?.sessions.end(drainMs)
    closing ??= (async () => {
      await ending
      if (parts) await within(closeMs, parts.close())
      emit({ name: 'worker.stopped' })
      if (failure) ended.reject(failure.error)
      else ended.resolve()
    })()
    await closing
  }

  return {
    start() {
      starting ??= closing ?? start()
      return starting
    },
    stop: ({ drainMs = settings.drainMs } = {}) => close(drainMs),
    stopped: ended.promise,
  }
}

function handlersStuck(jobTypes: readonly string[]): QueueError {
  return new QueueError(
    'HANDLERS_STUCK',
    `As many handlers as this worker has slots were aborted and do not end (${jobTypes.join(', ')}), so the worker has stopped. ` +
      'Start a new process, and make these handlers obey their signal.',
  )
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
