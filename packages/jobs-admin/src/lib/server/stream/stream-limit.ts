/** How many streams may be open at once. */
export interface StreamLimits {
  /** Default 10: tabs of one user. */
  perUser?: number
  /** Default 500. */
  perProcess?: number
}

/** A place that was taken, or whose limit is reached. */
export type StreamPlace = { release: () => void } | { full: 'user' | 'process' }

/** Counts open streams of this process. */
export interface StreamLimit {
  take(userId: string): StreamPlace
  open(): number
}

/** Makes counters at zero. */
export function createStreamLimit({ perUser = 10, perProcess = 500 }: StreamLimits = {}): StreamLimit {
  const byUser = new Map<string, number>()
  let open = 0

  function change(userId: string, by: 1 | -1): void {
    open += by
    const count = (byUser.get(userId) ?? 0) + by
    if (count > 0) byUser.set(userId, count)
    else byUser.delete(userId)
  }

  return {
    take(userId) {
      if ((byUser.get(userId) ?? 0) >= perUser) return { full: 'user' }
      if (open >= perProcess) return { full: 'process' }
      change(userId, 1)
      let held = true
      return {
        release() {
          if (held) change(userId, -1)
          held = false
        },
      }
    },
    open: () => open,
  }
}
