import type { Queryable } from '../../database/queryable.ts'
import { isConnectionLoss, sqlState } from '../../database/sql-state.ts'
import { poolBehind } from '../server/open-database.ts'
import { openSignal, pollMs } from './signal.ts'

type Look<Found> = () => Promise<Found | undefined>

const lost = Symbol('the connection broke')

/**
 * Calls `look` at once and whenever jobs have changed, until it finds something or the time is over. When the connection it looks through
 * breaks it looks again, through the next one, within that time. A first connection that cannot be opened fails at once.
 */
export async function waitUntil<Found>(db: Queryable, timeoutMs: number, look: Look<Found>): Promise<Found | undefined> {
  if (timeoutMs <= 0) return look()
  const deadline = performance.now() + timeoutMs
  const again = opensAnother(db) ? isConnectionLoss : () => false
  const found = await attempt(look, (error) => again(error) && hasBroken(error))
  if (found !== undefined && found !== lost) return found
  const signal = await openSignal(db)
  try {
    for (;;) {
      const leftMs = deadline - performance.now()
      // Also once after the time is over: the last change may have come just before.
      const seen = await attempt(look, (error) => leftMs > 0 && again(error))
      if (seen !== lost && (seen !== undefined || leftMs <= 0)) return seen
      // The signal that woke a look which was lost will not wake the next one.
      await signal.next(seen === lost ? Math.min(leftMs, pollMs) : leftMs)
    }
  } finally {
    await signal.close()
  }
}

/** @param bears which errors are no more than a look that was lost. */
async function attempt<Found>(look: Look<Found>, bears: (error: unknown) => boolean): Promise<Found | undefined | typeof lost> {
  try {
    return await look()
  } catch (error) {
    if (bears(error)) return lost
    throw error
  }
}

/** A single client, or a transaction, ends with its connection. */
function opensAnother(db: Queryable): boolean {
  return 'executeQuery' in db ? !('isTransaction' in db && db.isTransaction) : poolBehind(db) !== undefined
}

/** A connection that was there, as a pool keeps it; not one that could not be opened, which is more likely a wrong connection string. */
function hasBroken(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return sqlState(error)?.startsWith('57P') ?? (code === 'ECONNRESET' || /terminated/.test(message ?? ''))
}
