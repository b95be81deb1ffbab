/** How often one user may do something. */
export interface RateLimitOptions {
  /** Tokens that come back in a minute; a bucket holds as many. */
  perMinute: number
  /** Buckets that are remembered; beyond that the one that was idle longest is forgotten. Default 10,000. */
  maxUsers?: number
  /** Milliseconds that only grow. Default `performance.now`. */
  now?: () => number
}

/** Token buckets by user, in the memory of this process: behind n processes a user has n times as many. */
export interface RateLimit {
  /** Takes a token. Undefined: there was one. Otherwise the whole seconds until the next one. */
  take(userId: string): number | undefined
  /** Buckets that are remembered just now. */
  size(): number
}

interface Bucket {
  tokens: number
  at: number
}

const minuteMs = 60_000

/** Makes empty buckets. They hold only who has taken something in the last minute. */
export function createRateLimit({ perMinute, maxUsers = 10_000, now = () => performance.now() }: RateLimitOptions): RateLimit {
  // By time of the last use: a Map keeps the order in which keys were set.
  const buckets = new Map<string, Bucket>()

  function forgetFull(time: number): void {
    for (const [userId, { at }] of buckets) {
      if (time - at < minuteMs && buckets.size < maxUsers) return
      buckets.delete(userId)
    }
  }

  return {
    take(userId) {
      const time = now()
      const tokens = refill(buckets.get(userId), time, perMinute)
      buckets.delete(userId)
      forgetFull(time)
      buckets.set(userId, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: time })
      return tokens >= 1 ? undefined : Math.ceil(((1 - tokens) * minuteMs) / perMinute / 1_000)
    },
    size: () => buckets.size,
  }
}

function refill(bucket: Bucket | undefined, time: number, perMinute: number): number {
  if (!bucket) return perMinute
  return Math.min(perMinute, bucket.tokens + ((time - bucket.at) * perMinute) / minuteMs)
}
