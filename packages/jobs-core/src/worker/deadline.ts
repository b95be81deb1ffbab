/** A moment that can be moved nearer, never further away. */
export interface Deadline {
  /** Not later than `ms` from now. */
  within(ms: number): void
  /** Resolves when `promise` does or the moment has come, whichever is first. */
  race(promise: Promise<unknown>): Promise<void>
}

export function createDeadline(): Deadline {
  let at = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let come: () => void = () => {}
  const moment = new Promise<void>((resolve) => {
    come = resolve
  })
  return {
    within(ms) {
      const asked = performance.now() + ms
      if (asked >= at) return
      at = asked
      clearTimeout(timer)
      timer = setTimeout(come, ms)
    },
    async race(promise) {
      await Promise.race([promise, moment])
      clearTimeout(timer)
    },
  }
}

/** Waits for `promise`, but no longer than `ms`. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const deadline = createDeadline()
  deadline.within(ms)
  await deadline.race(promise)
}
