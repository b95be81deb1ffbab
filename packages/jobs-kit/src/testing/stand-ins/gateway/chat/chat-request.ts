import type { JsonSchema } from './json-schema.ts'

/** A message of a chat. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'developer'
  content: string
}

/** What is asked of a model, as far as the stand-in looks at it. What a request really holds is checked first. */
export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  stream?: boolean
  n?: number
  response_format?: { type: 'text' | 'json_object' } | { type: 'json_schema'; json_schema: RequestedSchema }
}

/** The form of the answer that is asked for. */
export interface RequestedSchema {
  name: string
  strict?: boolean
  schema: JsonSchema
}

/** The body as an object; undefined when it is none. */
export function parseChat(body: string): ChatRequest | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ChatRequest) : undefined
  } catch {
    return undefined
  }
}
