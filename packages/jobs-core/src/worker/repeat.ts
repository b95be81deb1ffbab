import { createPulse } from './pulse.ts'

export interface Repetition {
  /** Ends it, after the call that is under way. */
  stop(): Promise<void>
}

export interface HurriedRepetition extends Repetition {
  /** Calls it at once, or once more if a call is under way. */
  soon(): void
}

/** Calls `fn` again and again, `intervalMs` after the last call ended. What it throws goes to `onError`. */
export function repeat(intervalMs: number, fn: () => Promise<void>, onError: (error: unknown) => void): HurriedRepetition {
  const pulse = createPulse()
  let stopped = false
  const loop = (async () => {
    while (!stopped) {
      await pulse.sleep(intervalMs)
      if (stopped) return
      await fn().catch(onError)
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
