import { PermanentError, TransientError } from '@sidelinja/jobs-core'
import { type BreakerVerdict, breakerVerdict } from '../breaker/breaker-verdict.ts'
import { classifyStatus } from '../http/classify-status.ts'
import { isUpstreamError, UpstreamError } from '../http/upstream-error.ts'
import type { ModelRole } from './gateway.ts'

/** However it is said, and by whom. */
export const tooLong = /context.?(length|window)|string_too_long|maximum context|prompt is too long/i
const unwanted = /content.?policy|content.?filter|moderation|flagged|guardrail|prompt injection|refusal/i
/** Says what key or model it is about, whose name may be any word. */
const aboutKey = /access_denied|auth_error|api.?key|not allowed to access|can only access/i
/** LiteLLM's words for a key, a team or a user that may use other models than this one. */
const forbiddenModelType = /^(?:key|team|user|org|organization|project)_model_access_denied$/i
const forbiddenModel = /not allowed to access (?:this )?model|can only access models/i
/** The name is wrong: LiteLLM's, OpenRouter's and OpenAI's words. */
const unknownModel = /invalid model name passed|is not a valid model id|model_not_found/i
/** LiteLLM names the provider that said it, where it did not say it itself; OpenRouter says that one did. */
const ofProvider = /litellm\.(?:Authentication|PermissionDenied)Error\b[\s\S]*\w+Exception\b|provider returned error/i

/** What was asked for. */
export interface Asked {
  /** The alias, as the gateway knows it. */
  readonly model: string
  /** Which of the collection's `models` it is; undefined: the job names it itself. */
  readonly role?: ModelRole | 'embedding' | undefined
}

/**
 * What a refusal of the gateway means beside its status: too much at once, something the model's keeper does not want to read, a model that is not for us, a provider's
 * trouble with the gateway's own key, or that it is none of the gateway's own. Anything else stays as it is. What is explained keeps no cause: its words are in the message.
 */
export function explainRefusal(error: unknown, { model, role }: Asked): unknown {
  if (!isUpstreamError(error)) return error
  if (error.code === 'UPSTREAM_ANSWER_TOO_LARGE') return replyTooLarge(error.message)
  if (error.status === undefined) return error
  if (isTooLong(error)) return new PermanentError('CONTEXT_TOO_LONG', `The question is longer than the model can take. ${said(error)}`)
  if (isForbiddenModel(error) || isUnknownModel(error)) {
    const what = isForbiddenModel(error) ? "the gateway does not let this worker's key use it" : 'the gateway has none of that name'
    const todo = role
      ? `Set models.${role} in the collection's settings to one that it may use, or give the gateway this one; then retry the job.`
      : 'Name one that it may use, or give the gateway this one; then enqueue the job anew.'
    return new UpstreamError('UPSTREAM_REJECTED', `Model ${JSON.stringify(model)}: ${what}. ${todo} ${said(error)}`, detailsOf(error))
  }
  if (isFromBefore(error)) {
    const message = `Something in front of the AI gateway, a proxy or a firewall, does not let this call through: the answer is not the gateway's. Look at its log; it may be this one text. ${said(error)}`
    return new TransientError('GATEWAY_BLOCKED', message)
  }
  if (isUnwanted(error)) return new PermanentError('REPLY_REFUSED', `The gateway will not put this question to the model. ${said(error)}`)
  if (!isOfProvider(error)) return error
  const message = `The AI gateway let the call through, but the provider of model ${JSON.stringify(model)} refuses the gateway's own key for it. Correct that key in the gateway, or ${role ? `set models.${role} in the collection's settings to another model` : 'name another model'}. ${said(error)}`
  return new TransientError('MODEL_KEY_REFUSED', message)
}

/** What the service said, without what its status would mean elsewhere. */
function said({ message, status = 0, retryAfterMs }: UpstreamError): string {
  return message.replace(`: ${classifyStatus(status, retryAfterMs !== undefined).meaning}.`, '.')
}

function detailsOf({ service, method, url, status, errorType, bodyExcerpt, bodyIsJson }: UpstreamError) {
  return { service, method, url, status, errorType, bodyExcerpt, bodyIsJson, retryable: false }
}

/** A reply that no step could hold. Asking again, or for less, would pay for the same once more: it comes of no text, but of a model that does not stop. */
export function replyTooLarge(what: string): PermanentError {
  const message = `${what} It is not kept: the model, or the gateway, does not keep to the room that a reply is given (max_tokens). Choose another model in the collection's settings (models), then retry the job.`
  return new PermanentError('REPLY_TOO_LARGE', message)
}

/**
 * What an error says about the gateway itself: a text that it does not want, a model that this key may not use, or one whose provider knows no key of the gateway's says nothing
 * against it, though it is a 403 or a 401. One that is not its own may be about one text or about everybody's: it counts, and opens the breaker where it comes again and again
 * with no success between.
 */
export function gatewayVerdict(error: unknown): BreakerVerdict {
  if (!isUpstreamError(error)) return breakerVerdict(error)
  if (isTooLong(error) || isForbiddenModel(error) || isUnwanted(error) || isOfProvider(error)) return 'success'
  return isFromBefore(error) ? 'failure' : breakerVerdict(error)
}

function isTooLong({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  return status === 413 || (status === 400 && (tooLong.test(errorType) || tooLong.test(bodyExcerpt)))
}

/** LiteLLM says it with 401 or 403, by release. */
function isForbiddenModel({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  return (status === 401 || status === 403) && (forbiddenModelType.test(errorType) || forbiddenModel.test(bodyExcerpt))
}

function isUnknownModel({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  return (status === 400 || status === 404) && (unknownModel.test(errorType) || unknownModel.test(bodyExcerpt))
}

function isOfProvider({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  return (status === 401 || status === 403) && !/auth_error/i.test(errorType) && ofProvider.test(bodyExcerpt)
}

function isUnwanted({ status, errorType = '', bodyExcerpt = '' }: UpstreamError): boolean {
  if (status === 403 && (aboutKey.test(errorType) || aboutKey.test(bodyExcerpt))) return false
  return (status === 400 || status === 403) && (unwanted.test(errorType) || unwanted.test(bodyExcerpt))
}

/** A gateway refuses in JSON, a key and a text alike. */
function isFromBefore(error: UpstreamError): boolean {
  return error.status === 403 && error.bodyIsJson === false && !isUnwanted(error)
}

/** True for a call of several texts that one with fewer of them might not meet; some servers say of too much at once only that the request is bad. */
export function wantsFewerTexts(error: unknown): boolean {
  if (needsSplit(error)) return true
  if (!isUpstreamError(error) || isUnknownModel(error) || isForbiddenModel(error)) return false
  return [400, 413, 422].includes(error.status ?? 0) || isUnwanted(error) || error.code === 'UPSTREAM_ANSWER_TOO_LARGE'
}

/** True for what a smaller part of the same question might not meet. */
export function needsSplit(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return code === 'CONTEXT_TOO_LONG' || code === 'REPLY_CUT'
}
