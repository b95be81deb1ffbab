/** Places at work, and who waits for one. */
export interface Turns {
  readonly busy: number
  /** Takes a place, whether there is one or not. @returns gives it back, once. */
  begin(): () => void
  /** Waits until a place is given back, or so long; first come, first woken. @throws the signal's reason. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function createTurns(): Turns {
  const waiting = new Set<() => void>()
  let busy = 0
  return {
    get busy() {
      return busy
    },
    begin() {
      busy += 1
      let open = true
      return () => {
        if (!open) return
        open = false
        busy -= 1
        for (const wake of waiting) return wake()
      }
    },
    wait(ms, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const abort = () => reject(signal.reason)
      const timer = setTimeout(resolve, ms)
      waiting.add(resolve)
      signal.addEventListener('abort', abort, { once: true })
      return promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(resolve)
        signal.removeEventListener('abort', abort)
      })
    },
  }
}
