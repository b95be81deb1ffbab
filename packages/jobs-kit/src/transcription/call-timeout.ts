const shortestMs = 10 * 60_000
/** A job has four hours in all; see the handler. */
const longestMs = 3 * 3_600_000

/** How long one call may take: so many times as long as its audio; a server that must load its model first gets ten minutes in any case. */
export function callTimeoutMs(durationMs: number, factor: number): number {
  return Math.min(Math.max(shortestMs, durationMs * factor), longestMs)
}
