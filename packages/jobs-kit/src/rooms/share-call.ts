/**
 * One call for all who ask while it is under way. Each stops waiting at its own signal; when the last one has left, the call is aborted,
 * and whoever comes after that begins a new one.
 */
export function shareCall<Result>(call: (signal: AbortSignal) => Promise<Result>): (signal: AbortSignal) => Promise<Result> {
  let current: { result: Promise<Result>; abort: AbortController; waiting: number } | undefined
  const begin = () => {
    const abort = new AbortController()
    const begun = { result: call(abort.signal), abort, waiting: 0 }
    const forget = () => {
      if (current === begun) current = undefined
    }
    begun.result.then(forget, forget)
    abort.signal.addEventListener('abort', forget)
    return begun
  }
  return async (signal) => {
    signal.throwIfAborted()
    current ??= begin()
    const mine = current
    mine.waiting += 1
    try {
      return await settledOrAborted(mine.result, signal)
    } finally {
      mine.waiting -= 1
      if (mine.waiting === 0) mine.abort.abort(new Error('Nobody waits for it any more'))
    }
  }
}

async function settledOrAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([result, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
