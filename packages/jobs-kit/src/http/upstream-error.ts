import { JobsError } from '@sidelinja/jobs-core'

/** What is known about a call that failed. Nothing in it holds a credential or what was sent. */
export interface UpstreamErrorDetails {
  /** The name an operator knows the service by: `transcription`, `gateway`, `livekit`. */
  readonly service: string
  readonly method: string
  /** Without user, password and the values of secret parameters. */
  readonly url: string
  /** The HTTP status; undefined when no answer came. */
  readonly status?: number | undefined
  /** The system's code when there was no answer: `ECONNREFUSED`, `ENOTFOUND`, `ECONNRESET` … */
  readonly networkCode?: string | undefined
  /** The name that the answer gives its error: `context_length_exceeded`, `rate_limit_exceeded` … */
  readonly errorType?: string | undefined
  /** The beginning of the answer, at most 2,000 characters, secrets masked. */
  readonly bodyExcerpt?: string | undefined
  /** False: the answer is a page, a text or nothing, which may come from what stands before the service. Undefined when no answer came. */
  readonly bodyIsJson?: boolean | undefined
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** How long the service asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/**
 * A service outside did not do what was asked: it could not be reached, took too long, or answered with something else than success. The queue
 * tries again when `retryable` (not before `retryAfterMs`), and otherwise fails the job at once. Codes: `UPSTREAM_…` in docs/errors.md.
 */
export class UpstreamError extends JobsError {
  override readonly name: string = 'UpstreamError'
  readonly service: string
  readonly method: string
  readonly url: string
  readonly status: number | undefined
  readonly networkCode: string | undefined
  readonly errorType: string | undefined
  readonly bodyExcerpt: string | undefined
  readonly bodyIsJson: boolean | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(code: string, message: string, details: UpstreamErrorDetails) {
    const { service, method, url, status, networkCode, errorType, bodyExcerpt, bodyIsJson, retryable, retryAfterMs, cause } = details
    super(retryable ? 'transient' : 'permanent', code, message, cause === undefined ? undefined : { cause })
    this.service = service
    this.method = method
    this.url = url
    this.status = status
    this.networkCode = networkCode
    this.errorType = errorType
    this.bodyExcerpt = bodyExcerpt
    this.bodyIsJson = bodyIsJson
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
  }
}

/** True for an UpstreamError, whichever copy of this package made it; with `status`, only for that answer. */
export function isUpstreamError(error: unknown, status?: number): error is UpstreamError {
  const found = error as Partial<UpstreamError> | null | undefined
  if (typeof found !== 'object' || found === null || found.name !== 'UpstreamError') return false
  return status === undefined || found.status === status
}
