import { PermanentError } from '@sidelinja/jobs-core'
import { type BreakerVerdict, breakerVerdict } from '../breaker/breaker-verdict.ts'
import { isUpstreamError, type UpstreamError } from '../http/upstream-error.ts'

/** However it is said, and by whom. */
export const tooLong = /context.?(length|window)|string_too_long|maximum context|prompt is too long/i
const unwanted = /content.?policy|content.?filter|moderation|flagged|guardrail|prompt injection|refusal/i
/** Says what key or model it is about, whose name may be any word. */
const aboutKey = /access_denied|auth_error|api.?key|not allowed to access|can only access/i

/**
 * What a refusal of the gateway means beside its status: too much at once, or something the model's keeper does not want to read. Anything
 * else stays as it is.
 */
export function explainRefusal(error: unknown): unknown {
  if (!isUpstreamError(error) || error.status === undefined) return error
  if (isTooLong(error)) {
    const message = `The question is longer than the model can take. ${error.message}`
    return new PermanentError('CONTEXT_TOO_LONG', message, { cause: error })
  }
  if (!isUnwanted(error)) return error
  return new PermanentError('REPLY_REFUSED', `The gateway will not put this question to the model. ${error.message}`, { cause: error })
}

/** What an error says about the gateway itself: a text that it does not want says nothing against it, though it is a 403. */
export function gatewayVerdict(error: unknown): BreakerVerdict {
  return isUpstreamError(error) && (isTooLong(error) || isUnwanted(error)) ? 'success' : breakerVerdict(error)
}

function isTooLong({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  return status === 413 || (status === 400 && (tooLong.test(errorType) || tooLong.test(bodyExcerpt)))
}

function isUnwanted({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  if (status === 403 && (aboutKey.test(errorType) || aboutKey.test(bodyExcerpt))) return false
  return (status === 400 || status === 403) && (unwanted.test(errorType) || unwanted.test(bodyExcerpt))
}

/** True for what a smaller part of the same question might not meet. */
export function needsSplit(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return code === 'CONTEXT_TOO_LONG' || code === 'REPLY_CUT'
}
