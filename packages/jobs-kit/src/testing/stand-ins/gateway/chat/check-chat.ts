import type { ChatRequest } from './chat-request.ts'
import { checkStrictSchema } from './check-strict-schema.ts'

/** Why a request is refused, and which part of it is to blame. */
export interface ChatFault {
  message: string
  param: string
}

/** Checks a request as strictly as the strictest of the real ones, so that what passes here passes elsewhere. @returns undefined when it is well. */
export function checkChat(chat: ChatRequest): ChatFault | undefined {
  if (typeof chat.model !== 'string' || chat.model === '') return fault('model', 'you must provide a model parameter')
  return checkMessages(chat.messages) ?? checkOptions(chat) ?? checkFormat(chat.response_format)
}

function checkMessages(messages: unknown): ChatFault | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return fault('messages', "'messages' must be an array with at least one message.")
  for (const [index, message] of messages.entries()) {
    if (!['system', 'developer', 'user', 'assistant'].includes(message?.role)) {
      return fault(`messages[${index}].role`, `Invalid value: '${message?.role}'.`)
    }
    if (typeof message.content !== 'string') return fault(`messages[${index}].content`, 'Expected a string.')
  }
  return messages.some(({ role }) => role === 'user') ? undefined : fault('messages', 'There is no message of a user.')
}

function checkOptions({ stream, n, temperature, ...chat }: ChatRequest): ChatFault | undefined {
  if (stream) return fault('stream', 'The stand-in does not stream.')
  if (n !== undefined && n !== 1) return fault('n', 'The stand-in gives one choice.')
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) return fault('temperature', 'Expected a number from 0 to 2.')
  for (const name of ['max_tokens', 'max_completion_tokens'] as const) {
    const value = chat[name]
    if (value !== undefined && !(Number.isInteger(value) && value > 0)) return fault(name, 'Expected a whole number above 0.')
  }
  return undefined
}

function checkFormat(format: ChatRequest['response_format']): ChatFault | undefined {
  if (format === undefined || format.type === 'text' || format.type === 'json_object') return undefined
  if (format.type !== 'json_schema') return fault('response_format.type', `Invalid value: '${(format as { type?: unknown }).type}'.`)
  const { name, schema, strict } = format.json_schema ?? {}
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    return fault('response_format.json_schema.name', "Expected a string of at most 64 characters that matches '^[a-zA-Z0-9_-]+$'.")
  }
  if (typeof schema !== 'object' || schema === null) return fault('response_format.json_schema.schema', 'Expected an object.')
  const wrong = strict ? checkStrictSchema(schema) : undefined
  return wrong === undefined ? undefined : fault('response_format', `Invalid schema for response_format '${name}': ${wrong}`)
}

function fault(param: string, message: string): ChatFault {
  return { param, message }
}
