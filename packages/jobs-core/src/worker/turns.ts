/** So long may jobs be started one after the other before the event loop gets its turn. */
const turnMs = 1

/** Divides work that never waits into turns. */
export interface Turns {
  /** False when the turn is over: whoever asks stops, and is called when the next one begins. */
  mayGoOn(): boolean
}

/**
 * Jobs that never wait, and end as promises, are one long chain of microtasks: while it lasts nothing is sent and nothing is read, and the database is
 * idle for as long as this worker is busy, and the other way round.
 */
export function createTurns(goOn: () => void): Turns {
  let endsAt = Number.POSITIVE_INFINITY
  let isOpen = false
  let isWanted = false

  function begin(): void {
    isOpen = true
    endsAt = performance.now() + turnMs
    setImmediate(() => {
      isOpen = false
      if (!isWanted) return
      isWanted = false
      goOn()
    })
  }

  return {
    mayGoOn() {
      if (!isOpen) {
        begin()
        return true
      }
      isWanted ||= performance.now() >= endsAt
      return !isWanted
    },
  }
}
