import type { JsonValue } from '@sidelinja/jobs-core'

/** A JSON schema, as far as it is looked at here. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  enum?: JsonValue[]
  const?: JsonValue
  anyOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  definitions?: Record<string, JsonSchema>
}

/** What a `$ref` of the same document means; undefined when it leads nowhere. */
export function resolveReference(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const part of reference.slice(1).split('/').filter(Boolean)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined
  }
  return typeof at === 'object' && at !== null ? (at as JsonSchema) : undefined
}

/** The types that a schema names. */
export function typesOf({ type }: JsonSchema): string[] {
  return type === undefined ? [] : [type].flat()
}
