import { isJobsError } from './jobs-error.ts'
import { maskSecrets } from './mask-secrets.ts'

/** What is stored about an error. */
export interface ErrorDescription {
  code: string | null
  /** One line, at most 2,000 characters, secrets masked. Never empty. */
  message: string
  /** At most 8,000 characters, secrets masked. */
  stack: string | null
}

export const MAX_MESSAGE_LENGTH = 2_000
export const MAX_STACK_LENGTH = 8_000
/** Longer text is cut before the patterns run over it: masking 20 MB would hold the event loop. */
const maxMaskedLength = 20_000
/** The last word of such a text may be half a credential that no pattern knows any more; no credential is longer than this. */
const maxHalfWord = 4_000
const cutMark = ' … (cut)'

/** Describes whatever was thrown, also what is not an Error or throws when it is read. */
export function describeError(thrown: unknown): ErrorDescription {
  const message = causeChain(thrown)
    .map((cause) => readMessage(cause).slice(0, maxMaskedLength + 1))
    .join(' ← ')
  const stack = property(thrown, 'stack')
  return {
    code: readCode(thrown),
    message: tidy(message, MAX_MESSAGE_LENGTH, oneLine) || 'Error without a readable message',
    stack: stack ? tidy(stack, MAX_STACK_LENGTH, storable) : null,
  }
}

/** The error and what caused it, at most five deep, each once. */
function causeChain(thrown: unknown): unknown[] {
  const chain: unknown[] = []
  for (let current = thrown; chain.length < 5 && !chain.includes(current); current = safely(() => (current as Error).cause)) {
    if (chain.length > 0 && (current === undefined || current === null)) break
    chain.push(current)
  }
  return chain
}

function readMessage(thrown: unknown): string {
  if (safely(() => thrown instanceof Error) || isJobsError(thrown)) {
    const message = property(thrown, 'message')
    if (message?.trim()) return message
    return messagesOfParts(thrown) || `${property(thrown, 'name') ?? 'Error'} without a message`
  }
  if (typeof thrown === 'string' && thrown.trim()) return thrown
  const text = safely(() => (typeof thrown === 'object' && thrown !== null ? JSON.stringify(thrown) : String(thrown)))
  return `The handler threw ${text || safely(() => JSON.stringify(thrown)) || typeof thrown} instead of an Error`
}

/** An AggregateError, as a refused connection to a host with two addresses, says nothing itself. */
function messagesOfParts(thrown: unknown): string | undefined {
  return safely(() => {
    const parts = (thrown as { errors?: unknown }).errors
    if (!Array.isArray(parts)) return undefined
    return parts
      .slice(0, 3)
      .map((part) => property(part, 'message') ?? String(part))
      .join('; ')
  })
}

/** Codes are words; anything else that stands in a property of that name is not one. */
function readCode(thrown: unknown): string | null {
  const code = property(thrown, 'code')
  return code !== null && /^[A-Za-z0-9_.:-]{1,100}$/.test(code) ? code : null
}

function property(thrown: unknown, name: string): string | null {
  const value = safely(() => (thrown as Record<string, unknown> | null | undefined)?.[name])
  return typeof value === 'string' ? value : null
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Masked, cleaned and cut, in this order. */
function tidy(text: string, maxLength: number, clean: (text: string) => string): string {
  const whole = text.length <= maxMaskedLength
  const cleaned = clean(maskSecrets(whole ? text : withoutHalfWord(text.slice(0, maxMaskedLength))))
  if (whole && cleaned.length <= maxLength) return cleaned
  return `${cleaned.slice(0, maxLength - cutMark.length).toWellFormed()}${cutMark}`
}

function withoutHalfWord(text: string): string {
  const lastWord = /\s\S*$/.exec(text.slice(-maxHalfWord))
  return text.slice(0, text.length - (lastWord ? lastWord[0].length : maxHalfWord))
}

function oneLine(text: string): string {
  return storable(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
