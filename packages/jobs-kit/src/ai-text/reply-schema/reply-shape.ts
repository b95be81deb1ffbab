import type { JsonValue } from '@sidelinja/jobs-core'

/** What a reply looks like: the part of JSON schema that a model can be held to, and the limits that only we check. */
export type ReplyShape = { readonly description?: string } & (
  | { readonly kind: 'object'; readonly properties: readonly ReplyProperty[] }
  | { readonly kind: 'list'; readonly items: ReplyShape; readonly limits: ReplyLimits }
  | { readonly kind: 'choice'; readonly values: readonly ReplyScalar[] }
  | { readonly kind: 'plain'; readonly type: PlainType; readonly limits: ReplyLimits }
  | { readonly kind: 'union'; readonly options: readonly ReplyShape[] }
  | { readonly kind: 'named'; readonly name: string }
)

export type PlainType = 'string' | 'number' | 'integer' | 'boolean' | 'null'
export type ReplyScalar = Exclude<JsonValue, object>

export interface ReplyProperty {
  readonly key: string
  readonly shape: ReplyShape
  readonly optional: boolean
}

/** As JSON schema names them. Strict schemas leave them out; words and the check afterwards do not. */
export interface ReplyLimits {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** A whole reply: an object, and what it refers to by name; `#` is the reply itself. */
export interface Reply {
  readonly root: ReplyShape & { readonly kind: 'object' }
  readonly named: ReadonlyMap<string, ReplyShape>
}

/** True when null is a value of its own here, not just the way to leave something out. */
export function admitsNull(shape: ReplyShape, named: Reply['named'], seen: readonly string[] = []): boolean {
  switch (shape.kind) {
    case 'plain':
      return shape.type === 'null'
    case 'choice':
      return shape.values.includes(null)
    case 'union':
      return shape.options.some((option) => admitsNull(option, named, seen))
    case 'named': {
      const meant = seen.includes(shape.name) ? undefined : named.get(shape.name)
      return meant !== undefined && admitsNull(meant, named, [...seen, shape.name])
    }
    default:
      return false
  }
}
