import type { Queryable } from '../../database/queryable.ts'
import { openSignal } from './signal.ts'

/** Calls `look` at once and whenever jobs have changed, until it finds something or the time is over. */
export async function waitUntil<Found>(
  db: Queryable,
  timeoutMs: number,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const deadline = performance.now() + timeoutMs
  const found = await look()
  if (found !== undefined || timeoutMs <= 0) return found
  const signal = await openSignal(db)
  try {
    for (;;) {
      const leftMs = deadline - performance.now()
      // Also once after the time is over: the last change may have come just before.
      const seen = await look()
      if (seen !== undefined || leftMs <= 0) return seen
      await signal.next(leftMs)
    }
  } finally {
    await signal.close()
  }
}
