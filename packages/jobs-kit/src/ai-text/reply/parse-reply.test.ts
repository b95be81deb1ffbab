import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { injections } from '../../testing/injections.ts'
import { parseReply } from './parse-reply.ts'

describe('parseReply', () => {
  test.each<[string, string, unknown]>([
    ['JSON', '{"a":1}', { a: 1 }],
    ['a list', '[1,2]', [1, 2]],
    ['in a code fence', '```json\n{"a":1}\n```', { a: 1 }],
    ['between words', 'Her er svaret:\n{"a":{"b":[]}}\nHåper det hjelper!', { a: { b: [] } }],
    ['in a code fence between words', 'Her:\n\n```json\n{"a": "}"}\n```\n\nSi fra om noe mangler!', { a: '}' }],
    ['after a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['after a footnote', 'Se [1]. {"a":1}', { a: 1 }],
    ['after an example', 'Formen {"a":0} fylt ut: {"a":1,"b":2}', { a: 1, b: 2 }],
    ['after a brace in words', 'Begynner med {:\n```\n{"a":1}\n```', { a: 1 }],
    ['after thoughts', '<think>{"a":"et langt utkast"} Nei.</think>\n{"a":1}', { a: 1 }],
    ['with a code fence in it', '{"a":"```js\\n{\\"b\\":1}\\n```"}', { a: '```js\n{"b":1}\n```' }],
    ['with braces in text', '{"a":"}{][\\"}"}', { a: '}{]["}' }],
    ['with a comma too many', '{"a":[1,2,],}', { a: [1, 2] }],
    ['with quotes of another kind', "{'a': 'b'}", { a: 'b' }],
    ['without quotes at keys', '{a: "b"}', { a: 'b' }],
    ['with comments', '{"a":1 /* en */, // to\n"b":2}', { a: 1, b: 2 }],
    ['with words of Python', '{"a": None, "b": True}', { a: null, b: true }],
    ['with quotes in text', '{"a": "han sa "hei" til meg"}', { a: 'han sa "hei" til meg' }],
    ['with a line feed in text', '{"a":"en\nto"}', { a: 'en\nto' }],
    ['the later of two keys', '{"a":1,"a":2}', { a: 2 }],
  ])('%s', (_name, text, value) => expect(parseReply(text)).toEqual(value))

  test.each([
    ['nothing', ''],
    ['words', 'Det kan jeg ikke hjelpe med.'],
    ['plain values', 'null'],
    ['text', '"hei"'],
    ['cut off', '{"title": "Episode 41", "chapters": [{"start": 0, "title": "Åpning"}, {"start": 310, "title": "'],
    ['cut off after a part that is whole', '{"chapters":[{"title":"Åpning"},{"title":"Slutt"}'],
    ['cut off in a code fence', '```json\n{"chapters":[{"title":"Åpning"},{"title":\n```'],
    ['thoughts without end', '<think>Kanskje {"a":1}'],
    ['a hundred and one lists', `${'['.repeat(101)}${']'.repeat(101)}`],
  ])('%s is no reply', (_name, text) => expect(parseReply(text)).toBeUndefined())

  test('a hundred lists are', () => {
    expect(JSON.stringify(parseReply(`${'['.repeat(100)}${']'.repeat(100)}`))).toBe(`${'['.repeat(100)}${']'.repeat(100)}`)
  })

  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 })
  const words = fc.stringMatching(/^[^{}[\]"\\`<]*$/)

  test('whatever JSON a reply holds comes out as it is', () => {
    fc.assert(
      fc.property(words, object, words, (before, value, after) => {
        const json = JSON.stringify(value)
        expect(parseReply(before + json + after)).toEqual(JSON.parse(json))
      }),
    )
  })

  test('what is cut off never comes out, wherever it was cut', () => {
    fc.assert(
      fc.property(object, fc.nat(), (value, cut) => {
        const json = JSON.stringify(value)
        expect(parseReply(json.slice(0, cut % json.length))).toBeUndefined()
      }),
    )
  })

  test('it bears whatever comes', () => {
    const bears = (text: string) => void expect(['object', 'undefined']).toContain(typeof parseReply(text))
    fc.assert(fc.property(fc.string({ unit: 'binary' }), bears))
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '\n', '```') }), bears))
    for (const { text } of injections) bears(`{"a":"${text}"}`)
  })

  test.each([
    ['lists', '['.repeat(1_000_000)],
    ['lists that close', '[]'.repeat(500_000)],
    ['quotes', `{"a":${'"'.repeat(1_000_000)}}`],
    ['quotes at ends of lines', `{"a":"x\n${'"y\n'.repeat(333_333)}"}`],
    ['backslashes', `{"a":"${'\\'.repeat(1_000_000)}"}`],
    ['sums', `{"a":${'"b"+'.repeat(250_000)}"c"}`],
    ['commas', `{${','.repeat(1_000_000)}}`],
    ['code fences', '```\n'.repeat(250_000)],
    ['blanks', ' '.repeat(1_000_000)],
    ['thoughts', `<think>${'</thin>'.repeat(150_000)}`],
    ['words', `{"a": ${'jeg sa "hei" og '.repeat(60_000)}}`],
  ])('a megabyte of %s takes seconds at most', { timeout: 20_000 }, (_name, text) => {
    expect(['object', 'undefined']).toContain(typeof parseReply(text))
  })
})
