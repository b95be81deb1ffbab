import { isJobsError } from '@sidelinja/jobs-core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toStrictSchema } from './to-strict-schema.ts'

const only = (shape: z.ZodType) => {
  const { properties, required } = toStrictSchema(z.object({ it: shape })) as { properties: { it: unknown }; required: string[] }
  expect(required).toEqual(['it'])
  return properties.it
}
const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })

describe('toStrictSchema', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['text without its limits', z.string().min(1).max(5).trim(), { type: 'string' }],
    ['text without pattern and format', z.email(), { type: 'string' }],
    ['a whole number', z.int().min(1), { type: 'integer' }],
    ['a number', z.number().gt(0).lt(1), { type: 'number' }],
    ['true and false', z.boolean(), { type: 'boolean' }],
    ['what it means', z.string().describe('Navnet'), { type: 'string', description: 'Navnet' }],
    ['optional', z.string().optional(), { type: ['string', 'null'] }],
    ['optional, with what it means', z.string().describe('Navnet').optional(), { type: ['string', 'null'], description: 'Navnet' }],
    ['a default', z.int().default(3), { type: ['integer', 'null'] }],
    ['null of its own', z.string().max(3).nullable(), { type: ['string', 'null'] }],
    ['null and optional', z.string().nullish(), { type: ['string', 'null'] }],
    ['an enum', z.enum(['ja', 'nei']), { type: 'string', enum: ['ja', 'nei'] }],
    ['an optional enum', z.enum(['ja']).optional(), { anyOf: [{ type: 'string', enum: ['ja'] }, { type: 'null' }] }],
    ['one value', z.literal(7), { type: 'integer', enum: [7] }],
    ['several values', z.literal(['a', 1.5, null]), { type: ['string', 'number', 'null'], enum: ['a', 1.5, null] }],
    ['a list', z.array(z.string()).min(1).max(3), { type: 'array', items: { type: 'string' } }],
    ['a list of objects', z.array(z.object({ a: z.string() })), { type: 'array', items: object({ a: { type: 'string' } }) }],
    ['an optional object', z.object({}).optional(), { anyOf: [object({}), { type: 'null' }] }],
    ['a strict object', z.strictObject({ a: z.null() }), object({ a: { type: 'null' } })],
    ['a union of plain values', z.union([z.string(), z.int(), z.string().max(2)]), { type: ['string', 'integer'] }],
    [
      'a union with an object',
      z.union([z.string(), z.object({ a: z.string() })]).optional(),
      { anyOf: [{ type: 'string' }, object({ a: { type: 'string' } }), { type: 'null' }] },
    ],
    [
      'objects told apart',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b'), n: z.int() })]),
      {
        anyOf: [
          object({ kind: { type: 'string', enum: ['a'] } }),
          object({ kind: { type: 'string', enum: ['b'] }, n: { type: 'integer' } }),
        ],
      },
    ],
    ['what comes before a transformation', z.string().transform((text) => text.length), { type: 'string' }],
  ])('%s', (_name, shape, expected) => expect(only(shape)).toEqual(expected))

  test('what refers to itself', () => {
    const topic = z.object({
      name: z.string(),
      get below() {
        return z.array(topic).optional()
      },
    })
    const itself = { anyOf: [{ type: 'array', items: { $ref: '#' } }, { type: 'null' }] }
    expect(toStrictSchema(topic)).toEqual(object({ name: { type: 'string' }, below: itself }))
    const below = { anyOf: [{ type: 'array', items: { $ref: '#/$defs/__schema0' } }, { type: 'null' }] }
    const first = { $ref: '#/$defs/__schema0' }
    expect(toStrictSchema(z.object({ first: topic, second: topic.describe('Den andre').optional() }))).toEqual({
      ...object({ first, second: { anyOf: [first, { type: 'null' }], description: 'Den andre' } }),
      $defs: { __schema0: object({ name: { type: 'string' }, below }) },
    })
  })

  test('what has a name of its own', () => {
    const speaker = z.object({ name: z.string() }).meta({ id: 'a/b~c', title: 'x' })
    expect(toStrictSchema(z.object({ it: speaker }))).toEqual({
      ...object({ it: { $ref: '#/$defs/a~1b~0c' } }),
      $defs: { 'a/b~c': object({ name: { type: 'string' } }) },
    })
    expect(toStrictSchema(z.object({ a: z.string() }).meta({ id: 'whole' }))).toMatchObject(object({ a: { type: 'string' } }))
  })

  test.each<[string, z.ZodType, RegExp]>([
    [
      'a record',
      z.object({ a: z.array(z.object({ b: z.record(z.string(), z.string()) })) }),
      /"a\[\]\.b" .* got an object with keys of any name/,
    ],
    ['a record of an enum', z.object({ a: z.record(z.enum(['x']), z.string()) }), /"a" /],
    ['a loose object', z.looseObject({ a: z.string() }), /keys of any name/],
    ['a tuple', z.object({ a: z.tuple([z.string()]) }), /"a" .* a tuple/],
    ['anything', z.object({ a: z.unknown() }), /"a" .* z\.unknown\(\)/],
    ['never', z.object({ a: z.never() }), /"a" .* z\.never\(\)/],
    ['a date', z.object({ a: z.date() }), /Date cannot be represented/],
    ['a bigint', z.object({ a: z.bigint() }), /BigInt cannot be represented/],
    ['a list on the outside', z.array(z.string()), /got list on the outside/],
    ['a union on the outside', z.union([z.object({}), z.object({ a: z.string() })]), /got union on the outside/],
  ])('%s is refused', (_name, schema, message) => {
    const attempt = () => toStrictSchema(schema)
    expect(attempt).toThrow(message)
    expect(attempt).toThrow(expect.objectContaining({ code: 'REPLY_SCHEMA_UNSUITABLE' }))
    expect(attempt).toThrow(expect.toSatisfy((error) => isJobsError(error, 'configuration')))
  })
})
