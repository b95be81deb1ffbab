import { createPulse } from './pulse.ts'

export interface Repetition {
  /** Ends it, after the call that is under way. */
  stop(): Promise<void>
}

/** Calls `fn` again and again, `intervalMs` after the last call ended. What it throws goes to `onError`. */
export function repeat(intervalMs: number, fn: () => Promise<void>, onError: (error: unknown) => void): Repetition {
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
    stop() {
      stopped = true
      pulse.wake()
      return loop
    },
  }
}
