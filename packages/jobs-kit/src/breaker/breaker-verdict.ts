/**
 * What an error of a call says about the service.
 *
 * - `failure`: it could not be reached, took too long, or is in trouble of its own. Five in a row open its breaker.
 * - `fault`: it refuses our credentials, and will refuse everybody's. Opens the breaker at once.
 * - `success`: it is well, and did not like this call.
 * - `ignore`: nothing. The call was aborted, the service wants fewer calls, or the error comes from somewhere else.
 */
export type BreakerVerdict = 'failure' | 'fault' | 'success' | 'ignore'

const refusesCredentials = [401, 403, 407]
/** The same call may well succeed later; 408: it took the service too long. */
const notWell = [408, 421, 425]
/** The system's words for "could not be reached", for callers without the kit's HTTP client. */
const unreachable =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_(AGAIN|FAIL)|EPIPE|E(SOCKET)?TIMEDOUT|UND_ERR_(CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT|SOCKET)|CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

/** Judges an error by its shape: `status`, `retryable` and `retryAfterMs` as UpstreamError has them, or the system's `code`. Never throws. */
export function breakerVerdict(error: unknown): BreakerVerdict {
  const { status, retryable, retryAfterMs, code } = shapeOf(error)
  if (typeof status === 'number') return judgeAnswer(status, retryable !== false, retryAfterMs !== undefined)
  if (typeof retryable === 'boolean') return retryable ? 'failure' : 'ignore'
  return typeof code === 'string' && unreachable.test(code) ? 'failure' : 'ignore'
}

function judgeAnswer(status: number, retryable: boolean, asksToWait: boolean): BreakerVerdict {
  if (refusesCredentials.includes(status)) return 'fault'
  if (status === 429 || (status === 503 && asksToWait)) return 'ignore'
  // Of its own errors some are about the call: 501, it cannot do such a thing at all.
  if (notWell.includes(status) || status >= 500) return retryable ? 'failure' : 'ignore'
  return status >= 400 ? 'success' : 'ignore'
}

interface Shape {
  status?: unknown
  retryable?: unknown
  retryAfterMs?: unknown
  code?: unknown
}

/** Whatever was thrown; also what does not let itself be looked at. */
export function shapeOf(error: unknown): Shape {
  try {
    const { status, retryable, retryAfterMs, code } = (error ?? {}) as Shape
    return { status, retryable, retryAfterMs, code }
  } catch {
    return {}
  }
}
