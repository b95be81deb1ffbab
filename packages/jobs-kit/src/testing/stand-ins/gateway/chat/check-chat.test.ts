import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { question, replies, strict } from '../../../../../test/stand-ins/gateway.ts'
import { checkChat } from './check-chat.ts'
import type { JsonSchema } from './json-schema.ts'

const text = { type: 'string' }
const closed = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  ...more,
})
const tree = closed(
  { root: { $ref: '#/$defs/node' } },
  { $defs: { node: closed({ name: text, parts: { type: 'array', items: { $ref: '#/$defs/node' } } }) } },
)

describe('checkChat', () => {
  test.each(Object.entries(replies))('takes the schema of %s', (_name, schema) => {
    expect(checkChat(question({}, strict(schema)))).toBeUndefined()
  })

  test.each([
    [
      'unions and null',
      closed({ a: { anyOf: [text, { type: 'null' }] }, b: { type: ['integer', 'null'] }, c: { enum: ['x'] }, d: { const: 1 } }),
    ],
    ['recursion', tree],
    ['the root itself', closed({ parts: { type: 'array', items: { $ref: '#' } } })],
  ])('takes %s', (_name, schema) => {
    expect(checkChat(question({}, schema))).toBeUndefined()
  })

  test.each<[string, JsonSchema, RegExp]>([
    ['no object', { type: 'array', items: text }, /must be a JSON Schema of 'type: "object"'/],
    ['an open object', closed({ a: { ...closed({}), additionalProperties: true } }), /'properties', 'a'\), 'additionalProperties'/],
    ['an object that says nothing of other properties', { type: 'object', properties: {}, required: [] }, /'additionalProperties'/],
    ['an optional property', closed({ a: text, b: text }, { required: ['a'] }), /Missing 'b'/],
    ['a limit', z.toJSONSchema(z.object({ a: z.string().max(5) })) as JsonSchema, /'maxLength' is not permitted/],
    [
      'a limit below a list',
      closed({ a: { type: 'array', items: { type: 'string', pattern: 'x' } as JsonSchema } }),
      /'items'\), 'pattern'/,
    ],
    ['a limit in a definition', { ...tree, $defs: { node: closed({ a: { ...text, format: 'date' } as JsonSchema }) } }, /'format'/],
    ['no type', closed({ a: {} }), /must have a 'type' key/],
    ['a type there is not', closed({ a: { type: 'text' } }), /'text' is not a type/],
    ['a list of anything', closed({ a: { type: 'array' } }), /missing items/],
    ['a reference into nothing', closed({ a: { $ref: '#/$defs/nope' } }), /leads nowhere/],
  ])('refuses %s', (_name, schema, message) => {
    expect(checkChat(question({}, schema))).toEqual({ param: 'response_format', message: expect.stringMatching(message) })
    const loose = { type: 'json_schema' as const, json_schema: { name: 'x', schema } }
    expect(checkChat(question({}, undefined, { response_format: loose }))).toBeUndefined()
  })

  test.each<[string, object]>([
    ['model', { model: '' }],
    ['messages', { messages: [] }],
    ['messages', { messages: [{ role: 'system', content: 'x' }] }],
    ['messages[0].role', { messages: [{ role: 'robot', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: null }] }],
    ['stream', { stream: true }],
    ['n', { n: 2 }],
    ['temperature', { temperature: 3 }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_completion_tokens', { max_completion_tokens: 1.5 }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['response_format.json_schema.name', { response_format: { type: 'json_schema', json_schema: { name: 'a b', schema: {} } } }],
    ['response_format.json_schema.schema', { response_format: { type: 'json_schema', json_schema: { name: 'a' } } }],
  ])('refuses a wrong %s', (param, more) => {
    expect(checkChat(question({}, undefined, more))).toEqual({ param, message: expect.stringMatching(/./) })
  })
})
