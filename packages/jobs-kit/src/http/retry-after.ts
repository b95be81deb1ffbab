type Headers = Readonly<Record<string, string | undefined>>

/** No service may ask for more; the queue has the same bound. */
const longestMs = 24 * 3_600_000

/**
 * How long an answer asks to be left alone, in milliseconds, 0 … 24 h; undefined when it does not say, or nothing that can be read. Forms:
 * `retry-after-ms`, and `retry-after` as seconds (also with a fraction) or as an HTTP date in any of the three notations of RFC 9110 §5.6.7.
 * A date is taken against the answer's own `date` where it has one, so that a clock that is wrong on either side does no harm.
 * @param nowMs milliseconds since 1970, for a date without a `date` beside it.
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const ms = readNumber(headers['retry-after-ms'])
  if (ms !== undefined) return clamp(ms)
  const text = headers['retry-after']?.trim()
  if (!text) return undefined
  const seconds = readNumber(text)
  if (seconds !== undefined) return clamp(seconds * 1_000)
  const until = readDate(text)
  return until === undefined ? undefined : clamp(until - (readDate(headers.date) ?? nowMs))
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`. The last has no zone and means UTC. */
function readDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[a-z]{3,9},? /i.test(text)) return undefined
  const at = Date.parse(/(gmt|utc|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`)
  return Number.isNaN(at) ? undefined : at
}

function clamp(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), longestMs)
}
