import { ConfigurationError } from '@sidelinja/jobs-core'
import { z } from 'zod'
import type { PlainType, Reply, ReplyLimits, ReplyProperty, ReplyScalar, ReplyShape } from './reply-shape.ts'

type Node = z.core.JSONSchema.JSONSchema

const limitNames = [
  ...(['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const),
  ...(['minItems', 'maxItems'] as const),
]

/**
 * The shape of the replies that a zod schema takes, before its transformations. Called when a handler is defined, so that a schema no model can
 * be held to is found at the start and not in the first job.
 * @throws ConfigurationError `REPLY_SCHEMA_UNSUITABLE` for anything but an object of named keys with lists, unions, enums and plain values in it.
 */
export function readReplySchema(schema: z.ZodType): Reply {
  const top = toJsonSchema(schema)
  const definitions = Object.entries(top.$defs ?? {})
  const named = new Map(definitions.map(([name, node]) => [name, readNode(node as Node, name)]))
  const whole = readNode(top, '')
  const root = whole.kind === 'named' ? named.get(whole.name) : whole
  if (root?.kind !== 'object')
    throw unsuitable('', `${root?.kind ?? 'nothing'} on the outside`, 'z.object({ … }), with the list or union below a key')
  return { root, named: named.set('#', root) }
}

function toJsonSchema(schema: z.ZodType): Node {
  try {
    return z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause)
    throw unsuitable('', what, 'what JSON has: text, numbers, true and false, null, lists, objects', cause)
  }
}

function readNode(node: Node, path: string): ReplyShape {
  const description = typeof node.description === 'string' && node.description !== '' ? { description: node.description } : {}
  return { ...description, ...readKind(node, path) }
}

function readKind(node: Node, path: string): ReplyShape {
  if (node.$ref !== undefined) return { kind: 'named', name: decodeName(node.$ref) }
  const options = node.anyOf ?? node.oneOf
  if (options) return union(options.map((option) => readNode(option as Node, path)))
  const values = node.const === undefined ? node.enum : [node.const]
  if (values) return { kind: 'choice', values: values as ReplyScalar[] }
  if (node.type === undefined) throw unsuitable(path, describe(node), 'a schema that says what it is: z.string(), z.object({ … })')
  return union([node.type].flat().map((type) => readType(node, type, path)))
}

function readType(node: Node, type: string, path: string): ReplyShape {
  if (type === 'object') return { kind: 'object', properties: readProperties(node, path) }
  const limits = readLimits(node)
  if (type !== 'array') return { kind: 'plain', type: type as PlainType, limits }
  if (node.prefixItems || typeof node.items !== 'object') {
    throw unsuitable(path, 'a tuple', 'z.object({ … }) with a key for each part, or z.array(…)')
  }
  return { kind: 'list', items: readNode(node.items as Node, `${path}[]`), limits }
}

function readProperties(node: Node, path: string): ReplyProperty[] {
  if (node.propertyNames !== undefined || (node.additionalProperties !== undefined && node.additionalProperties !== false)) {
    throw unsuitable(
      path,
      'an object with keys of any name',
      'z.object({ … }) without a catch-all, or z.array(z.object({ key: …, value: … }))',
    )
  }
  return Object.entries(node.properties ?? {}).map(([key, property]) => ({
    key,
    shape: readNode(property as Node, path === '' ? key : `${path}.${key}`),
    optional: !node.required?.includes(key),
  }))
}

function readLimits(node: Node): ReplyLimits {
  const limits = limitNames.map((name) => [name, node[name]] as const)
  // Bounds that every number has say nothing.
  const told = limits.filter(
    ([, value]) => value !== undefined && !(typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER),
  )
  return Object.fromEntries(told)
}

/** Unions within unions are one. */
function union(options: readonly ReplyShape[]): ReplyShape {
  const flat = options.flatMap((option) => (option.kind === 'union' && option.description === undefined ? option.options : [option]))
  const [first] = flat
  return first !== undefined && flat.length === 1 ? first : { kind: 'union', options: flat }
}

function decodeName(reference: string): string {
  return reference
    .replace(/^#\/\$defs\//, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

function describe(node: Node): string {
  if (node.allOf) return 'an intersection'
  return node.not ? 'z.never()' : 'z.any() or z.unknown()'
}

function unsuitable(path: string, got: string, expected: string, cause?: unknown): ConfigurationError {
  const where = path === '' ? 'the schema of a reply' : `"${path}" in the schema of a reply`
  return new ConfigurationError(
    'REPLY_SCHEMA_UNSUITABLE',
    `Expected ${where} to be ${expected}; got ${got}, to which no model can be held.`,
    { cause },
  )
}
