import type { JsonValue } from '@sidelinja/jobs-core'

/** One call of a service. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** http or https. */
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** What is sent: JSON, or … */
  readonly json?: JsonValue
  /** … a form: the runtime's own FormData. Files are streamed when they come from `fs.openAsBlob`. */
  readonly form?: FormData
  /** For the whole call, from the first look-up to the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number
  /** Of the answer, unpacked. Default 1 MiB. */
  readonly maxBytes?: number
  /** Aborts the call: its reason is what is thrown then. */
  readonly signal: AbortSignal
}

/** A success: status 200 … 299, the whole answer in memory. */
export interface HttpResponse {
  readonly status: number
  /** Names in lower case; several of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /**
   * The answer as JSON.
   * @throws UpstreamError `UPSTREAM_BODY_INVALID`, transient: a page of a proxy, or half an answer.
   */
  json(): unknown
}

/** What every service outside is called through. */
export interface HttpClient {
  /** The name in messages and of the service's breaker. */
  readonly service: string
  /**
   * Makes one call, once: the queue tries again, not this client. Redirects are not followed, since they would carry the key elsewhere.
   * @throws UpstreamError for whatever is no success; see docs/errors.md, `UPSTREAM_…`.
   */
  request(request: HttpRequest): Promise<HttpResponse>
}
