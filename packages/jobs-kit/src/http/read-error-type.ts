/**
 * The name that a JSON answer gives its error, beside words for people: OpenRouter's `error.metadata.error_type`, OpenAI's `error.code`, LiteLLM's `error.type`. Undefined when it
 * gives none; numbers are no names.
 */
export function readErrorType(body: string): string | undefined {
  if (!body.trimStart().startsWith('{')) return undefined
  try {
    const { error } = JSON.parse(body) as { error?: { type?: unknown; code?: unknown; metadata?: { error_type?: unknown } } }
    return [error?.metadata?.error_type, error?.code, error?.type].find(isName)
  } catch {
    return undefined
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][\w.-]{0,99}$/i.test(value)
}
