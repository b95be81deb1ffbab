import { expect, test } from 'vitest'
import { z } from 'zod'
import { schemaInWords } from './schema-in-words.ts'

const lines = (shape: z.ZodRawShape) => schemaInWords(z.object(shape)).split('\n').slice(1)

test('a whole reply', () => {
  const schema = z.object({
    title: z.string().min(1).max(120).describe('Kort, uten\n punktum.'),
    chapters: z.array(z.object({ start_segment: z.int().min(1), title: z.string() })).max(30),
    people: z.array(z.object({ name: z.string(), role: z.string().nullable() })).min(1),
    language: z.enum(['nb', 'nn']).optional(),
  })
  expect(schemaInWords(schema)).toBe(`One JSON object with exactly these keys:
- "title": text of 1 to 120 characters. Kort, uten punktum.
- "chapters": a list of at most 30 items of: an object with the keys
  - "start_segment": a whole number, at least 1
  - "title": text
- "people": a list of at least 1 items of: an object with the keys
  - "name": text
  - "role": text, or null
- "language": one of "nb", "nn", or null when there is none`)
})

test.each<[string, z.ZodType, string]>([
  ['bounds', z.number().gt(0).lt(1), 'a number, more than 0 and less than 1'],
  ['bounds that belong', z.number().min(-2).max(2), 'a number, at least -2 and at most 2'],
  ['a length', z.string().length(4), 'text of 4 characters'],
  ['no least length', z.string().min(0), 'text'],
  ['a pattern', z.string().regex(/^T\d+$/), 'text matching /^T\\d+$/'],
  ['a date', z.iso.date(), 'text like 2026-01-31'],
  ['another format', z.url(), 'text in the form of an uri'],
  ['true and false', z.boolean().default(false), 'true or false, or null when there is none'],
  ['one value', z.literal('x'), '"x"'],
  ['values and null', z.literal(['x', null]).optional(), 'one of "x", null'],
])('%s', (_name, shape, words) => expect(lines({ it: shape })).toEqual([`- "it": ${words}`]))

test('objects told apart', () => {
  const shape = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b'), n: z.int() })])
  expect(lines({ it: shape })).toEqual([
    '- "it": one of these:',
    '  * an object with the keys',
    '    - "kind": "a"',
    '  * an object with the keys',
    '    - "kind": "b"',
    '    - "n": a whole number',
  ])
})

test('what refers to itself', () => {
  const topic = z.object({
    name: z.string(),
    get below() {
      return z.array(topic)
    },
  })
  expect(schemaInWords(topic).split('\n').at(-1)).toBe('- "below": a list of: an object like the whole reply')
  expect(lines({ first: topic })).toEqual([
    '- "first": shape "0"',
    'Shape "0" is an object with the keys',
    '- "name": text',
    '- "below": a list of: shape "0"',
  ])
})
