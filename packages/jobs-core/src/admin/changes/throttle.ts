/** Calls `fn` soon after it was asked to, and at most once in `ms`. */
export function throttle(ms: number, fn: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  let waiting = false
  const call = () => {
    waiting = false
    last = performance.now()
    fn()
  }
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(call, Math.max(0, last + ms - performance.now())).unref()
  }
}
