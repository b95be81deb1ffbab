import { createPulse } from './pulse.ts'

export interface Repetition {
  /** Ends it, after the call that is under way. */
  stop(): Promise<void>
}

export interface HurriedRepetition extends Repetition {
  /** Calls it at once, or once more if a call is under way. */
  soon(): void
}

const firstRetryMs = 250
const maxRetryMs = 4_000

/**
 * Calls `fn` again and again, `intervalMs` after the last call ended. What it throws goes to `onError`; the next call then comes later
 * and later, for as long as it goes on throwing.
 */
export function repeat(intervalMs: number, fn: () => Promise<void>, onError: (error: unknown) => void): HurriedRepetition {
  const pulse = createPulse()
  let stopped = false
  const loop = (async () => {
    let retryMs = 0
    while (!stopped) {
      const until = performance.now() + Math.max(intervalMs, retryMs)
      // Who is in a hurry has to wait as well while it fails.
      do await pulse.sleep(until - performance.now())
      while (retryMs > 0 && !stopped && performance.now() < until)
      if (stopped) return
      try {
        await fn()
        retryMs = 0
      } catch (error) {
        retryMs = Math.min(retryMs * 2 || firstRetryMs, maxRetryMs)
        onError(error)
      }
    }
  })()
  return {
    soon: pulse.wake,
    stop() {
      stopped = true
      pulse.wake()
      return loop
    },
  }
}
