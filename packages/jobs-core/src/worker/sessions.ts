import { randomUUID } from 'node:crypto'
import { isRefusal } from '../database/sql-state.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { describeError } from '../errors/describe-error.ts'
import { isJobsError } from '../errors/jobs-error.ts'
import { checkSchema } from '../queue/check-schema.ts'
import { readFittingConnections } from './fit-connections.ts'
import { createPulse } from './pulse.ts'
import { reportRole } from './report-role.ts'
import { type RunningSession, type SessionParts, startSession } from './running-session.ts'

const firstRetryMs = 200
const maxRetryMs = 5_000

/** Keeps a worker registered: one session after the other, each until its lease is lost. */
export interface Sessions {
  /** Resolves when the first session takes jobs. While the database is away it waits and tries again. */
  begin(): Promise<void>
  /** Ends the current session and begins no other; may be called again with a shorter `drainMs`. */
  end(drainMs: number): Promise<void>
}

interface SessionsParts extends Omit<SessionParts, 'id'> {
  /** How many jobs may write at the same time. */
  setWriters(writers: number): void
}

/** @param onFailure called when a later session cannot begin for a reason that waiting does not mend. */
export function createSessions(parts: SessionsParts, onFailure: (error: unknown) => void): Sessions {
  const { queue, emit, outage, pooling, settings } = parts
  const pulse = createPulse()
  let ending = false
  let beginning: Promise<void> | undefined
  let session: RunningSession | undefined
  let roleChecked: Promise<void> | undefined

  async function begin(): Promise<void> {
    await whenReachable(() => checkSchema(queue))
    const wishes = { slots: settings.maxConcurrent, others: settings.otherConnections }
    const fitting = await whenReachable(() => readFittingConnections(queue, pooling.mode, wishes))
    if (fitting && fitting.wanted > fitting.allowed) emit({ name: 'connections.few', ...fitting })
    if (fitting) parts.setWriters(fitting.writers)
    roleChecked ??= whenReachable(() => reportRole(parts))
    await roleChecked
    const begun = await whenReachable(() => startSession({ ...parts, id: randomUUID() }))
    if (begun === undefined) return
    session = begun
    begun.lost
      .then(() => {
        beginning = begin()
        return beginning
      })
      .catch(onFailure)
  }

  async function whenReachable<T>(fn: () => Promise<T>): Promise<T | undefined> {
    for (let retryMs = firstRetryMs; !ending; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      try {
        const result = await fn()
        outage.back('start')
        return result
      } catch (error) {
        if (isJobsError(error, 'configuration')) throw error
        if (isRefusal(error)) throw refused(error)
        outage.lost('start', error)
        await pulse.sleep(retryMs)
      }
    }
    return undefined
  }

  return {
    begin() {
      beginning ??= begin()
      return beginning
    },
    async end(drainMs) {
      ending = true
      pulse.wake()
      await beginning?.catch(() => {})
      await session?.stop(drainMs)
    },
  }
}

function refused(cause: unknown): ConfigurationError {
  const { message } = describeError(cause)
  return new ConfigurationError(
    'DATABASE_REFUSED',
    `The database server answers, but refuses this connection: ${message}. Correct the connection string.`,
    { cause },
  )
}
