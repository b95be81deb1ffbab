import type { JsonValue } from '@sidelinja/jobs-core'

/** A JSON object, or what is wrong with the text in words that fit after "The body". */
export type ParsedObject = { value: { [key: string]: JsonValue } } | { wrong: string }

const maxDepth = 32
const dangerousKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Parses a JSON object of at most 32 levels without keys that reach an object's prototype. Never throws. */
export function parseJsonObject(text: string): ParsedObject {
  const value = parse(text)
  if (value === undefined) return { wrong: 'is not JSON; expected an object like {"job_id": "…"}' }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { wrong: `is ${kindOf(value)}; expected an object like {"job_id": "…"}` }
  }
  const wrong = findWrong(value as JsonValue)
  return wrong === undefined ? { value: value as { [key: string]: JsonValue } } : { wrong }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

function findWrong(value: JsonValue | undefined, depth = 1): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`
  const dangerous = Array.isArray(value) ? undefined : Object.keys(value).find((key) => dangerousKeys.has(key))
  if (dangerous) return `has the key "${dangerous}", which is not allowed anywhere`
  for (const inner of Object.values(value)) {
    const wrong = findWrong(inner, depth + 1)
    if (wrong !== undefined) return wrong
  }
  return undefined
}
