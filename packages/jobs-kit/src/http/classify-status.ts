/** What a refusal comes to; each has a row in docs/errors.md. */
export type RefusalCode =
  | 'UPSTREAM_RATE_LIMITED'
  | 'UPSTREAM_UNAUTHORIZED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_REDIRECTED'
  | 'UPSTREAM_NOT_FOUND'
  | 'UPSTREAM_TOO_LARGE'
  | 'UPSTREAM_REJECTED'

/** What a status means for the call: its code, and whether the same call may succeed later. */
export interface StatusMeaning {
  readonly code: RefusalCode
  readonly retryable: boolean
  /** In a few words, for the message. */
  readonly meaning: string
}

/** 529 is what AI providers and OpenRouter answer when overloaded; 520 … 524 come from a proxy in front of a host that is not well. */
const permanentServerErrors = [501, 505, 506, 508, 510, 511]
const worthAnotherTry = [408, 421, 425]

/**
 * Sorts everything that is no success.
 * @param asksToWait whether the answer says when to come back (`Retry-After`).
 */
export function classifyStatus(status: number, asksToWait: boolean): StatusMeaning {
  if (status === 429 || (status === 503 && asksToWait)) {
    return { code: 'UPSTREAM_RATE_LIMITED', retryable: true, meaning: 'it wants fewer calls' }
  }
  if (status === 401 || status === 403) {
    return { code: 'UPSTREAM_UNAUTHORIZED', retryable: false, meaning: 'the key or token is missing, wrong, or may not do this' }
  }
  if (worthAnotherTry.includes(status) || (status >= 500 && !permanentServerErrors.includes(status))) {
    return { code: 'UPSTREAM_UNAVAILABLE', retryable: true, meaning: 'it is not well, or too busy' }
  }
  if (status >= 300 && status < 400) {
    return { code: 'UPSTREAM_REDIRECTED', retryable: false, meaning: 'it wants the call elsewhere; set the address it should go to' }
  }
  if (status === 404) return { code: 'UPSTREAM_NOT_FOUND', retryable: false, meaning: 'there is no such thing' }
  if (status === 413) return { code: 'UPSTREAM_TOO_LARGE', retryable: false, meaning: 'what was sent is too large for it' }
  return { code: 'UPSTREAM_REJECTED', retryable: false, meaning: 'it does not accept what was sent' }
}
