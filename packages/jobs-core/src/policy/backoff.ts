const baseMs = 30_000
const capMs = 6 * 3_600_000
const jitterShare = 0.1
/** `Retry-After` is obeyed up to a day. */
const maxRetryAfterMs = 24 * 3_600_000

/**
 * How long a job waits after its failed attempt number `attempt` (from 1): 30 s × 2^(attempt−1), at most 6 h, and up to a tenth
 * more at random, so that what failed together does not come back together. `retryAfterMs`, what the service asked for, wins when
 * it is longer, up to 24 h.
 *
 * | attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 and more |
 * |---|---|---|---|---|---|---|---|---|---|---|---|
 * | waits at least | 30 s | 60 s | 2 min | 4 min | 8 min | 16 min | 32 min | 1 h 4 min | 2 h 8 min | 4 h 16 min | 6 h |
 *
 * @param random a number from 0 to 1.
 */
export function backoffMs(attempt: number, random: number, retryAfterMs?: number): number {
  const exponent = Math.min(Math.max(attempt, 1) - 1, 20)
  const waitMs = Math.min(baseMs * 2 ** exponent, capMs) * (1 + jitterShare * random)
  const askedMs = retryAfterMs !== undefined && retryAfterMs > 0 ? Math.min(retryAfterMs, maxRetryAfterMs) : 0
  return Math.round(Math.max(waitMs, askedMs))
}
