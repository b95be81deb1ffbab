import { classifyStatus, type RefusalCode } from './classify-status.ts'
import { describeAnswer } from './describe-answer.ts'
import { maskUrl } from './mask-url.ts'
import { readErrorDetails } from './read-error-details.ts'
import { readRetryAfter } from './retry-after.ts'
import { isUpstreamError, UpstreamError, type UpstreamErrorDetails } from './upstream-error.ts'

/** Which call it is about. */
export interface CallDetails {
  readonly service: string
  readonly method: string
  readonly url: URL
  readonly timeoutMs: number
}

/** An answer that is no success. */
export interface RefusingAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** OpenRouter's name for money that is only bound by calls under way; its other 402 are final. */
const heldBudget = 'openrouter_in_flight_budget'

type Refusal = (message: string, details: UpstreamErrorDetails) => UpstreamError

const refusals: Record<RefusalCode, Refusal> = {
  UPSTREAM_RATE_LIMITED: (message, details) => new UpstreamError('UPSTREAM_RATE_LIMITED', message, details),
  UPSTREAM_UNAUTHORIZED: (message, details) => new UpstreamError('UPSTREAM_UNAUTHORIZED', message, details),
  UPSTREAM_UNAVAILABLE: (message, details) => new UpstreamError('UPSTREAM_UNAVAILABLE', message, details),
  UPSTREAM_REDIRECTED: (message, details) => new UpstreamError('UPSTREAM_REDIRECTED', message, details),
  UPSTREAM_NOT_FOUND: (message, details) => new UpstreamError('UPSTREAM_NOT_FOUND', message, details),
  UPSTREAM_TOO_LARGE: (message, details) => new UpstreamError('UPSTREAM_TOO_LARGE', message, details),
  UPSTREAM_REJECTED: (message, details) => new UpstreamError('UPSTREAM_REJECTED', message, details),
}

/** The service answered, and not with success. */
export function refusedCall(call: CallDetails, { status, headers, text }: RefusingAnswer): UpstreamError {
  const said = readErrorDetails(text)
  const retryAfterMs = readRetryAfter(headers, Date.now()) ?? said.retryAfterMs
  const waitsForBudget = status === 402 && text.includes(heldBudget)
  const { code, meaning, ...standard } = classifyStatus(waitsForBudget ? 429 : status, retryAfterMs !== undefined)
  // A wrong key stays one, whoever says that it may get better.
  const retryable = code === 'UPSTREAM_UNAUTHORIZED' ? standard.retryable : (said.retryable ?? standard.retryable)
  const excerpt = describeAnswer(text)
  const requestId = headers['x-request-id']?.slice(0, 100)
  const parts = [
    `${describe(call)} answered ${status}: ${meaning}.`,
    excerpt && `It said: ${excerpt}`,
    retryAfterMs !== undefined && `It asks for ${Math.ceil(retryAfterMs / 1_000)} s of peace.`,
    requestId && `Request ${requestId}.`,
  ]
  const details = {
    ...inMessages(call),
    status,
    errorType: said.type,
    bodyExcerpt: excerpt || undefined,
    bodyIsJson: isJson(headers['content-type'], text),
    retryable,
    retryAfterMs,
  }
  return refusals[code](parts.filter(Boolean).join(' '), details)
}

/** Said or seen: some send JSON as text. */
function isJson(contentType: string | undefined, text: string): boolean {
  return /\bjson\b/i.test(contentType ?? '') || /^\s*[[{]/.test(text)
}

/** The answer is longer than anything this call could give. */
export function answerTooLarge(call: CallDetails, maxBytes: number): UpstreamError {
  const message = `${describe(call)} answered with more than the ${maxBytes} bytes that were expected at most. Is the address right?`
  return new UpstreamError('UPSTREAM_ANSWER_TOO_LARGE', message, { ...inMessages(call), retryable: false })
}

/** The answer says that it is well and is not JSON: a page of a proxy, or half of it. */
export function notJson(call: CallDetails, contentType: string | undefined, text: string): UpstreamError {
  const excerpt = describeAnswer(text).slice(0, 300)
  const message = `${describe(call)} should have answered with JSON; got ${contentType ?? 'no content type'}: ${excerpt || 'nothing'}`
  return new UpstreamError('UPSTREAM_BODY_INVALID', message, { ...inMessages(call), bodyExcerpt: excerpt, retryable: true })
}

const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** No answer, or not all of it. What is one of ours already stays as it is. */
export function failedCall(call: CallDetails, error: unknown): unknown {
  if (isUpstreamError(error)) return error
  const { code = '', event, message = '' } = error as { code?: string; event?: string; message?: string }
  if (code === 'ETIMEDOUT' && event !== undefined) return timedOut(call, event)
  if (/^ERR_(INVALID|UNSUPPORTED|HTTP_INVALID|UNESCAPED)/.test(code)) {
    const text = `${describe(call)} could not be sent (${code}): a key, token or address in the configuration holds characters that cannot be sent.`
    return new UpstreamError('UPSTREAM_CALL_INVALID', text, { ...inMessages(call), retryable: false })
  }
  // The client's own errors hold the request with its headers: only their words are kept.
  const failed = notConnected.has(code) ? 'could not be connected to' : 'got no whole answer'
  // Messages of the system name their code themselves.
  const text = `${describe(call)} ${failed}${code !== '' && message.includes(code) ? '' : ` (${code || 'no code'})`}: ${message.slice(0, 500)}`
  return new UpstreamError('UPSTREAM_UNREACHABLE', text, { ...inMessages(call), networkCode: code || undefined, retryable: true })
}

/** The call as a whole took longer than it may. */
export function timedOutCall(call: CallDetails): UpstreamError {
  return timedOut(call, 'request')
}

function timedOut(call: CallDetails, phase: string): UpstreamError {
  const beforeAnswer = ['lookup', 'connect', 'secureConnect'].includes(phase)
  if (beforeAnswer) {
    const text = `${describe(call)} could not be connected to in time (${phase}).`
    return new UpstreamError('UPSTREAM_UNREACHABLE', text, { ...inMessages(call), retryable: true })
  }
  const text = `${describe(call)} was not done in time (${phase}, ${Math.round(call.timeoutMs / 1_000)} s in all).`
  return new UpstreamError('UPSTREAM_TIMEOUT', text, { ...inMessages(call), retryable: true })
}

function describe(call: CallDetails): string {
  return `${call.service}: ${call.method} ${maskUrl(call.url)}`
}

function inMessages({ service, method, url }: CallDetails) {
  return { service, method, url: maskUrl(url) }
}
