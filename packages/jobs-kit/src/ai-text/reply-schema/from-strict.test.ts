import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fromStrict } from './from-strict.ts'

const topic = z.object({
  name: z.string(),
  ref: z.string().nullable(),
  weight: z.number().default(0.5),
  note: z.string().optional(),
  seen: z.string().nullish(),
  get below() {
    return z.array(topic).optional()
  },
})
const reply = z.object({
  topics: z.array(topic),
  what: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), x: z.string().optional() }),
    z.object({ kind: z.literal('b'), x: z.string().nullable() }),
  ]),
  either: z
    .union([z.object({ left: z.string(), more: z.int().optional() }), z.object({ right: z.string(), more: z.int().nullable() })])
    .optional(),
})

describe('fromStrict', () => {
  test('null where a key is optional is no key; null of its own stays', () => {
    const inner = { name: 'b', ref: 'T1', weight: 1, note: 'x', seen: 's', below: null }
    const came = {
      topics: [{ name: 'a', ref: null, weight: null, note: null, seen: null, below: [inner] }],
      what: { kind: 'a', x: null },
      either: { left: 'l', more: null },
    }
    const value = fromStrict(reply, came)
    expect(value).toEqual({
      topics: [{ name: 'a', ref: null, seen: null, below: [{ name: 'b', ref: 'T1', weight: 1, note: 'x', seen: 's' }] }],
      what: { kind: 'a' },
      either: { left: 'l' },
    })
    expect(reply.parse(value).topics[0]).toMatchObject({ weight: 0.5, below: [{ weight: 1 }] })
  })

  test('objects of a union are told apart', () => {
    const came = { topics: [], what: { kind: 'b', x: null }, either: { right: 'r', more: null } }
    expect(fromStrict(reply, came)).toEqual(came)
    expect(fromStrict(reply, { topics: [], what: { kind: 'c', x: null }, either: null })).toEqual({
      topics: [],
      what: { kind: 'c', x: null },
    })
  })

  test.each([null, undefined, 'text', 7, [], { topics: 'none' }, { topics: [null, 3, []], what: [], either: 'x' }, { oppsummering: null }])(
    'what is wrong stays as it came: %j',
    (came) => expect(fromStrict(reply, came)).toEqual(came),
  )

  test('keys that objects have anyway are keys like others', () => {
    const came = JSON.parse('{"topics":[],"__proto__":{"x":1},"constructor":null}')
    const value = fromStrict(reply, came) as object
    expect(Object.keys(value)).toEqual(['topics', '__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('what the schema takes it takes as well with null for every optional key that is absent', () => {
    const item = fc.record({ name: fc.string(), note: fc.option(fc.string()), at: fc.option(fc.integer()) })
    const schema = z.object({ items: z.array(z.object({ name: z.string(), note: z.string().optional(), at: z.int().default(1) })) })
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const { items: out } = schema.parse(fromStrict(schema, { items }))
        expect(out).toEqual(items.map(({ name, note, at }) => (note === null ? { name, at: at ?? 1 } : { name, note, at: at ?? 1 })))
      }),
    )
  })

  test('what is nested a thousand times is no harm', () => {
    let deep: object = { name: 'x', ref: null }
    for (let layer = 0; layer < 1_000; layer++) deep = { name: 'x', ref: null, below: [deep] }
    expect(() => fromStrict(topic, deep)).not.toThrow()
  })
})
