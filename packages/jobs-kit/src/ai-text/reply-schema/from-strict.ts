import type { JsonValue } from '@sidelinja/jobs-core'
import type { z } from 'zod'
import { isTooDeep } from '../reply/nesting.ts'
import { readReplySchema } from './read-reply-schema.ts'
import { admitsNull, type Reply, type ReplyProperty, type ReplyShape } from './reply-shape.ts'

type Fields = { readonly [key: string]: unknown }

/**
 * A reply as the zod schema takes it: where a key is optional and null is no value of its own, null goes, so that the key is absent and its default
 * applies. Everything else stays as it came, also what is wrong: zod says that better. So does a value nested too deeply to be walked.
 */
export function fromStrict(schema: z.ZodType, value: unknown): unknown {
  if (isTooDeep(value)) return value
  const reply = readReplySchema(schema)
  return restore(reply.root, value, reply)
}

function restore(shape: ReplyShape, value: unknown, reply: Reply): unknown {
  const meant = resolve(shape, reply)
  if (meant?.kind === 'list' && Array.isArray(value)) return value.map((item) => restore(meant.items, item, reply))
  if (meant?.kind === 'object' && isFields(value)) return restoreFields(meant.properties, value, reply)
  if (meant?.kind !== 'union') return value
  const option = meant.options.find((each) => fits(each, value, reply))
  return option === undefined ? value : restore(option, value, reply)
}

function restoreFields(properties: readonly ReplyProperty[], fields: Fields, reply: Reply): Fields {
  const byKey = new Map(properties.map((property) => [property.key, property]))
  const kept = Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
    const property = byKey.get(key)
    if (property === undefined) return [[key, value]]
    if (value === null && property.optional && !admitsNull(property.shape, reply.named)) return []
    return [[key, restore(property.shape, value, reply)]]
  })
  return Object.fromEntries(kept)
}

/** Whether a value was meant for an option of a union: objects are told apart by their fixed values and by the keys they must have. */
function fits(shape: ReplyShape, value: unknown, reply: Reply): boolean {
  const meant = resolve(shape, reply)
  if (meant?.kind === 'list') return Array.isArray(value)
  if (meant?.kind === 'union') return meant.options.some((option) => fits(option, value, reply))
  if (meant?.kind !== 'object' || !isFields(value)) return false
  return meant.properties.every(({ key, shape: each, optional }) => {
    if (!Object.hasOwn(value, key)) return optional
    return each.kind !== 'choice' || each.values.includes(value[key] as Exclude<JsonValue, object>) || (optional && value[key] === null)
  })
}

function resolve(shape: ReplyShape, { named }: Reply): Exclude<ReplyShape, { kind: 'named' }> | undefined {
  const meant = shape.kind === 'named' ? named.get(shape.name) : shape
  return meant?.kind === 'named' ? undefined : meant
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
