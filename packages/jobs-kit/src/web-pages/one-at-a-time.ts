/** Lets one task run at a time, the others in the order they came; a task that threw holds nobody up. */
export type OneAtATime = <T>(task: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** @throws (the function) the signal's reason, when it aborts while waiting: the task is not begun then. */
export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return async (task, signal) => {
    const before = last
    const over = Promise.withResolvers<void>()
    // Whoever gives up waiting must not let the next one past the task that still runs.
    last = Promise.all([before, over.promise])
    const stop = Promise.withResolvers<never>()
    const abort = () => stop.reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      signal.throwIfAborted()
      await Promise.race([before, stop.promise])
      return await task()
    } finally {
      signal.removeEventListener('abort', abort)
      over.resolve()
    }
  }
}
