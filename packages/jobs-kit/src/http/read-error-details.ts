/** What a JSON answer says of its error beside words for people. */
export interface ErrorDetails {
  /** Its name: OpenRouter's `error.metadata.error_type`, OpenAI's `error.code`, LiteLLM's `error.type`. Numbers are no names. */
  readonly type?: string | undefined
  /** OpenRouter's `error.availability.retryable`: it knows better than the status. */
  readonly retryable?: boolean | undefined
  /** OpenRouter's `error.availability.retry_after`, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

interface JsonError {
  type?: unknown
  code?: unknown
  metadata?: { error_type?: unknown } | null
  availability?: { retryable?: unknown; retry_after?: unknown } | null
}

const longestMs = 24 * 3_600_000

/** Reads them; nothing of an answer that is no JSON, or has its error elsewhere. */
export function readErrorDetails(body: string): ErrorDetails {
  if (!body.trimStart().startsWith('{')) return {}
  try {
    const { error } = JSON.parse(body) as { error?: JsonError | null }
    const { retryable, retry_after: seconds } = error?.availability ?? {}
    return {
      type: [error?.metadata?.error_type, error?.code, error?.type].find(isName),
      ...(typeof retryable === 'boolean' && { retryable }),
      ...(typeof seconds === 'number' && seconds >= 0 && { retryAfterMs: Math.min(seconds * 1_000, longestMs) }),
    }
  } catch {
    return {}
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][\w.-]{0,99}$/i.test(value)
}
