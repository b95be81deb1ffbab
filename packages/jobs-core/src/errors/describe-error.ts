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

const maxMessageLength = 2_000
const maxStackLength = 8_000
/** Longer text is cut before the patterns run over it: masking 20 MB would hold the event loop. */
const maxMaskedLength = 20_000
const cutMark = ' … (cut)'

/** Describes whatever was thrown, also what is not an Error or throws when it is read. */
export function describeError(thrown: unknown): ErrorDescription {
  const causes = causeChain(thrown)
  const message = causes.map(readMessage).join(' ← ')
  return {
    code: isJobsError(thrown) ? thrown.code : stringProperty(thrown, 'code'),
    message: cut(oneLine(maskSecrets(joinLines(shorten(message)))), maxMessageLength),
    stack: readStack(thrown),
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
  if (thrown instanceof Error || isJobsError(thrown)) {
    const message = stringProperty(thrown, 'message')
    return message?.trim() ? message : `${stringProperty(thrown, 'name') ?? 'Error'} without a message`
  }
  if (typeof thrown === 'string' && thrown.trim()) return thrown
  const text = safely(() => (typeof thrown === 'object' && thrown !== null ? JSON.stringify(thrown) : String(thrown)))
  return `The handler threw ${text || JSON.stringify(thrown) || typeof thrown} instead of an Error`
}

function readStack(thrown: unknown): string | null {
  const stack = stringProperty(thrown, 'stack')
  return stack ? cut(storable(maskSecrets(shorten(stack))), maxStackLength) : null
}

function stringProperty(thrown: unknown, name: string): string | null {
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

/** A credential split by a line break is still one. */
function joinLines(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ')
}

function oneLine(text: string): string {
  return storable(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

function shorten(text: string): string {
  return text.length <= maxMaskedLength ? text : text.slice(0, maxMaskedLength)
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - cutMark.length).toWellFormed()}${cutMark}`
}
