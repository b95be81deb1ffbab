/** After a notification that led to nothing nobody looks for so long, whatever the next ones say. */
const pauseMs = 50

/**
 * Notifications, which anybody who can connect may send, by the thousand. One that is followed by a claim is acted on at once;
 * one after a claim that came of another and found nothing has to wait, together with all that come meanwhile.
 */
export interface Wakes {
  /** There may be work. */
  wake(): void
  /** Call when a claim goes out, and its `found` with how many jobs it got. */
  look(): { found(jobs: number): void }
}

/** @param onWake called when it is time to look. */
export function createWakes(onWake: () => void): Wakes {
  let vainAt = Number.NEGATIVE_INFINITY
  let waiting = false
  /** Somebody woke, and nobody has looked since. */
  let woken = false
  /** A claim is under way that came of a notification. */
  let looking = false
  function act(): void {
    waiting = false
    woken = true
    onWake()
  }
  function wake(): void {
    const waitMs = vainAt + pauseMs - performance.now()
    if (looking) woken = true
    else if (waitMs <= 0) act()
    else if (!waiting) {
      waiting = true
      setTimeout(act, waitMs)
    }
  }
  return {
    wake,
    look() {
      const at = performance.now()
      const caused = woken
      looking = caused
      woken = false
      return {
        found(jobs) {
          looking = false
          if (caused && jobs === 0) vainAt = at
          if (!woken || !caused) return
          woken = false
          wake()
        },
      }
    },
  }
}
