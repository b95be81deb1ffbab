import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import { type BreakerVerdict, breakerVerdict } from '../breaker/breaker-verdict.ts'
import { isUpstreamError, type UpstreamError } from '../http/upstream-error.ts'

/** However it is said, and by whom. */
export const tooLong = /context.?(length|window)|string_too_long|maximum context|prompt is too long/i
const unwanted = /content.?policy|content.?filter|moderation|flagged|guardrail|prompt injection|refusal/i
/** Says what key or model it is about, whose name may be any word. */
const aboutKey = /access_denied|auth_error|api.?key|not allowed to access|can only access/i

/**
 * What a refusal of the gateway means beside its status: too much at once, something the model's keeper does not want to read, or that it is none of the
 * gateway's own. Anything else stays as it is.
 */
export function explainRefusal(error: unknown): unknown {
  if (!isUpstreamError(error)) return error
  if (error.code === 'UPSTREAM_ANSWER_TOO_LARGE') return replyTooLarge(error.message, error)
  if (error.status === undefined) return error
  if (isTooLong(error)) {
    const message = `The question is longer than the model can take. ${error.message}`
    return new PermanentError('CONTEXT_TOO_LONG', message, { cause: error })
  }
  if (isFromBefore(error)) {
    const message = `Something in front of the AI gateway, a proxy or a firewall, does not let this call through: the answer is not the gateway's. Look at its log; it may be this one text. ${error.message}`
    return new TransientError('GATEWAY_BLOCKED', message, { cause: error })
  }
  if (!isUnwanted(error)) return error
  return new PermanentError('REPLY_REFUSED', `The gateway will not put this question to the model. ${error.message}`, { cause: error })
}

/** A reply that no step could hold. Asking again, or for less, would pay for the same once more: it comes of no text, but of a model that does not stop. */
export function replyTooLarge(what: string, cause?: unknown): PermanentError {
  const message = `${what} It is not kept: the model, or the gateway, does not keep to the room that a reply is given (max_tokens). Choose another model in the collection's settings (models), then retry the job.`
  return new PermanentError('REPLY_TOO_LARGE', message, cause === undefined ? undefined : { cause })
}

/**
 * What an error says about the gateway itself: a text that it does not want says nothing against it, though it is a 403. One that is not its own may be about one text or about
 * everybody's: it counts, and opens the breaker where it comes again and again with no success between.
 */
export function gatewayVerdict(error: unknown): BreakerVerdict {
  if (!isUpstreamError(error)) return breakerVerdict(error)
  if (isTooLong(error) || isUnwanted(error)) return 'success'
  return isFromBefore(error) ? 'failure' : breakerVerdict(error)
}

function isTooLong({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  return status === 413 || (status === 400 && (tooLong.test(errorType) || tooLong.test(bodyExcerpt)))
}

function isUnwanted({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  if (status === 403 && (aboutKey.test(errorType) || aboutKey.test(bodyExcerpt))) return false
  return (status === 400 || status === 403) && (unwanted.test(errorType) || unwanted.test(bodyExcerpt))
}

/** A gateway refuses in JSON, a key and a text alike. */
function isFromBefore(error: UpstreamError): boolean {
  return error.status === 403 && error.bodyIsJson === false && !isUnwanted(error)
}

/** True for what a smaller part of the same question might not meet. */
export function needsSplit(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return code === 'CONTEXT_TOO_LONG' || code === 'REPLY_CUT'
}
