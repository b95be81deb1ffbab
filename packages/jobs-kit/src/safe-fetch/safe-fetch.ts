/** What is asked for, and how much of it is borne. */
export interface FetchRequest {
  readonly accept: string
  /** For everything, redirects and looking up included, in milliseconds. */
  readonly timeoutMs: number
  /**
   * How many bytes of an answer are read, unpacked. Asked before any of its body is read; what it throws refuses the answer.
   * Not asked for redirects.
   */
  readonly limit: (head: AnswerHead) => number
  /** Asked before an address is, that of each redirect too; false ends it with {@link NotAsked}. Its time counts. Default: all may be asked. */
  readonly mayAsk?: ((url: URL) => Promise<boolean>) | undefined
  /** Aborts: its reason is what is thrown then. */
  readonly signal: AbortSignal
}

/** An address that may not be asked. */
export class NotAsked extends Error {
  readonly url: URL
  constructor(url: URL) {
    super('This address may not be asked.')
    this.url = url
  }
}

/** The beginning of an answer. */
export interface AnswerHead {
  /** Where it came from, after redirects; without fragment. */
  readonly url: URL
  readonly status: number
  /** Names in lower case; several of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** An answer, whatever its status. */
export interface FetchedAnswer extends AnswerHead {
  readonly body: Buffer
  /** False when it was longer than the limit; then `body` is its beginning. */
  readonly whole: boolean
}

/**
 * Fetches what strangers name, and reaches nothing but the public web: addresses that a name leads to are checked where they are dialled, each redirect anew. GET only, no cookies,
 * no credentials, no proxy; nothing is tried twice.
 */
export interface SafeFetch {
  /**
   * @throws PermanentError `ADDRESS_REFUSED`, `TOO_MANY_REDIRECTS`; UpstreamError `UPSTREAM_UNREACHABLE`, `UPSTREAM_TIMEOUT`, all of those transient; {@link NotAsked}; the signal's reason.
   */
  get(url: URL, request: FetchRequest): Promise<FetchedAnswer>
}
