/** Lets a loop sleep until a time has passed or somebody wakes it, whichever is first. */
export interface Pulse {
  /** Ends the current sleep, or the next one at once. */
  wake(): void
  /** Resolves after `ms` with false, or with true when woken. */
  sleep(ms: number): Promise<boolean>
}

export function createPulse(): Pulse {
  let woken = false
  let end: (() => void) | undefined
  return {
    wake() {
      woken = true
      end?.()
    },
    sleep(ms) {
      if (woken) {
        woken = false
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const timer = setTimeout(finish, Math.max(0, ms), false)
        function finish(wasWoken: boolean) {
          clearTimeout(timer)
          end = undefined
          woken = false
          resolve(wasWoken)
        }
        end = () => finish(true)
      })
    },
  }
}
