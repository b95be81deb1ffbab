import type { z } from 'zod'
import type { JsonObject } from '../../json-object.ts'
import { readReplySchema } from './read-reply-schema.ts'
import { admitsNull, type Reply, type ReplyProperty, type ReplyScalar, type ReplyShape } from './reply-shape.ts'

/**
 * The JSON schema of a reply in the strict form that gateways take: every key required, none besides, what is optional may be null instead, and no
 * limits (`schemaInWords` tells those, and zod checks them). `fromStrict` turns a reply back into what the zod schema takes.
 * @throws ConfigurationError `REPLY_SCHEMA_UNSUITABLE`
 */
export function toStrictSchema(schema: z.ZodType): JsonObject {
  const reply = readReplySchema(schema)
  const definitions = [...reply.named].filter(([name]) => name !== '#').map(([name, shape]) => [name, strict(shape, reply)] as const)
  const root = strict(reply.root, reply)
  return definitions.length === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) }
}

function strict(shape: ReplyShape, reply: Reply): JsonObject {
  // Beside a reference nothing else may stand.
  if (shape.kind === 'named') return { $ref: shape.name === '#' ? '#' : `#/$defs/${encodeName(shape.name)}` }
  const form = strictForm(shape, reply)
  return shape.description === undefined ? form : { ...form, description: shape.description }
}

function strictForm(shape: Exclude<ReplyShape, { kind: 'named' }>, reply: Reply): JsonObject {
  switch (shape.kind) {
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(shape.properties.map((property) => [property.key, strictProperty(property, reply)])),
        required: shape.properties.map(({ key }) => key),
        additionalProperties: false,
      }
    case 'list':
      return { type: 'array', items: strict(shape.items, reply) }
    case 'choice':
      return { type: oneOrMany(shape.values.map(typeOf)), enum: shape.values }
    case 'plain':
      return { type: shape.type }
    case 'union':
      return strictUnion(shape.options, reply)
  }
}

function strictProperty({ shape, optional }: ReplyProperty, reply: Reply): JsonObject {
  if (!optional || admitsNull(shape, reply.named)) return strict(shape, reply)
  const { description, ...rest } = shape
  const form = strictUnion([rest as ReplyShape, { kind: 'plain', type: 'null', limits: {} }], reply)
  return description === undefined ? form : { ...form, description }
}

function strictUnion(options: readonly ReplyShape[], reply: Reply): JsonObject {
  const flat = options.flatMap((option) => (option.kind === 'union' ? option.options : [option]))
  const plain = flat.filter((option) => option.kind === 'plain' && option.description === undefined)
  if (plain.length === flat.length) return { type: oneOrMany(plain.map((option) => (option.kind === 'plain' ? option.type : ''))) }
  return { anyOf: flat.map((option) => strict(option, reply)) }
}

function oneOrMany(types: readonly string[]): string | string[] {
  const [first = 'null', ...others] = new Set(types)
  return others.length === 0 ? first : [first, ...others]
}

function typeOf(value: ReplyScalar): string {
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function encodeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
