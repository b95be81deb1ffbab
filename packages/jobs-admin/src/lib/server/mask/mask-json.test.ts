import { readFileSync } from 'node:fs'
import type { JsonValue } from '@sidelinja/jobs-core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canaries, encodings, nest, traces } from '../../../../test/canaries.ts'
import { type MaskedJson, maskJson } from './mask-json.ts'

const errorLines = readFileSync(new URL('../../../../test/fixtures/error-lines.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
const secretsOfLines = ['sk-test-AAAABBBBCCCCDDDD1111', 'hemmelig-passord', 'eyJhbGciOi.fake.token', 'FAKEKEY123456', 'hemmelig2']

describe('maskJson', () => {
  test('knows fifty canaries', () => {
    expect(canaries).toHaveLength(50)
  })

  test.each(canaries.map((value) => [JSON.stringify(value), value] as const))('%s: nothing is left at depths 1 to 8', (_name, value) => {
    for (let depth = 1; depth <= 8; depth++) {
      const result = maskJson(nest(value, depth), 'payload')
      expect(JSON.stringify(result)).not.toMatch(traces)
      expect(result.masked.length).toBeGreaterThan(0)
    }
  })

  test.each(Object.entries(encodings))('%s: nothing is left of a text with a secret', (_name, encode) => {
    for (const value of canaries) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      // A list of two or a pair of name and value, turned into one text, has lost what told them.
      if (/^(\[|\{"(name|key)")/.test(text)) continue
      for (const placed of [encode(text), { body: [encode(text)] }, { [encode(text)]: 1 }]) {
        const shown = JSON.stringify(maskJson(placed, 'payload'))
        expect({ text, left: traces.test(shown) || shown.includes(encode(text)) }).toEqual({ text, left: false })
      }
    }
  })

  test.each(errorLines.map((line, index) => [line, secretsOfLines[index] ?? '']))('%s', (line, secret) => {
    expect(line).toContain(secret)
    for (const value of [line, { error: { attempts: [line] } }, { [line]: 1 }, JSON.stringify({ message: line })]) {
      expect(JSON.stringify(maskJson(value, 'error'))).not.toContain(secret)
    }
  })

  test('says where, without saying what', () => {
    expect(maskJson({ url: 'postgres://a:b123@c/d', headers: [{ name: 'Cookie', value: 'x=1' }], ok: 'yes' }, 'payload')).toEqual({
      value: { url: 'postgres://a:***@c/d', headers: [{ name: 'Cookie', value: '***' }], ok: 'yes' },
      masked: ['payload.url', 'payload.headers[0].value'],
      cut: false,
    })
  })

  test('leaves what is no secret', () => {
    const value = {
      audioPath: 'show/ep-041-et-langt-navn.mp3',
      mediaNodeId: '5a1de11a-0000-4000-8000-000000000002',
      author: 'Kari',
      secretary: 'Ola',
      keyPoints: ['Token-ringen er gammel', 'Bearer av fanen'],
      usage: { prompt_tokens: 512, completion_tokens: 12, max_tokens: 4096 },
      tokens: 17,
      password: null,
      hasPassword: true,
      token: '',
      key: 'uploads/2026/lyd.mp3',
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      text: 'Møtet begynte med en sesjon om økonomi: to timer, 100% oppmøte.',
      url: 'https://example.org/a?page=2&sort=%C3%A5r',
      image: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
      n: 1.5,
      empty: [{}, [], null],
    }
    expect(maskJson(value, 'payload')).toEqual({ value, masked: [], cut: false })
  })

  test('a number is a secret under a name that is sure', () => {
    expect(maskJson({ password: 123456, dbPwd: 7, pin: 1234, token_count: 7 }, 'p').value).toEqual({
      password: '***',
      dbPwd: '***',
      pin: 1234,
      token_count: 7,
    })
  })

  test('masked keys do not swallow each other', () => {
    const { value } = maskJson({ 'sk-AAAA0123456789': 1, 'sk-BBBB0123456789': 2 }, 'p')
    expect(value).toEqual({ 'sk-***': 1, 'sk-*** (2)': 2 })
  })

  test('a key that reaches the prototype is a key like others', () => {
    const { value } = maskJson(JSON.parse('{"__proto__":{"admin":true},"a":1}') as JsonValue, 'p')
    expect(Object.keys(value as object)).toEqual(['__proto__', 'a'])
    expect((value as { admin?: boolean }).admin).toBeUndefined()
  })

  test('what is large is cut, with counts', () => {
    const { value, cut } = maskJson(
      { text: 'x'.repeat(3_000), list: Array.from({ length: 123 }, (_, index) => index), deep: nest('x', 40) },
      'p',
    )
    const shown = value as { text: string; list: JsonValue[] }
    expect(shown.text).toBe(`${'x'.repeat(2_000)} … (3000 characters)`)
    expect(shown.list).toHaveLength(101)
    expect(shown.list.at(-1)).toBe('… 23 more')
    expect(JSON.stringify(value)).toContain('… 1 inside')
    expect(cut).toBe(true)
    const wide = maskJson(Object.fromEntries(Array.from({ length: 130 }, (_, index) => [`k${index}`, index])), 'p').value as object
    expect(Object.entries(wide).at(-1)).toEqual(['…', '30 more'])
  })

  test('masks before it cuts', () => {
    for (let length = 1_950; length < 2_010; length++) {
      const { value } = maskJson(`${'x '.repeat(length / 2)}password=hunter2hunter2`, 'p')
      expect(value).not.toContain('hunt')
    }
    const { value } = maskJson(`${'x '.repeat(9_990)}sk-AAAABBBBCCCC0123456789AAAABBBBCCCC0123456789`, 'p', { maxText: 50_000 })
    expect(value).not.toContain('AAAA')
  })

  test('the whole is bounded', () => {
    const payload = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 'y'.repeat(1_000)))
    const result = maskJson(payload, 'p')
    expect(JSON.stringify(result.value).length).toBeLessThan(250_000)
    expect(result.cut).toBe(true)
  })

  test('whatever it is given, the answer is JSON and bounded', () => {
    fc.assert(
      // As it comes out of the database: JSON has no negative zero.
      fc.property(
        fc.jsonValue({ maxDepth: 6 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue),
        (value) => {
          const result: MaskedJson = maskJson(value, 'p')
          expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value)
        },
      ),
    )
  })

  test('the largest payload takes no time to speak of', () => {
    for (const unit of ['a', 'eyJ', '%41', '4a', 'x=', 'token ', '-----BEGIN ', 'https://']) {
      const started = performance.now()
      maskJson([unit.repeat(65_536 / unit.length)], 'p')
      expect(performance.now() - started).toBeLessThan(5_000)
    }
  })
})
