import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonProblem } from '../src/json/check-json.ts'
import { makeStorable } from '../src/json/make-storable.ts'
import { parsePayload } from '../src/json/parse-payload.ts'
import { storedSize } from '../src/json/stored-size.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const character = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  fc.constantFrom('\0', '\ud800', '\udfff', '\\', '\\u0000', '"', '\u007f', '\u2028', '1e+308', '12345678901234567890'),
)
const anything = fc.jsonValue({ stringUnit: character })
const numbers = fc.array(fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e308, -1e21, 2 ** 53, 2 ** 60, 5e-324, 0.1, -0)))

/** What PostgreSQL makes of JSON texts: its own text of each. */
async function throughJsonb(texts: readonly string[]): Promise<string[]> {
  const { rows } = await queue.pool.query(
    'select j::jsonb::text as text from unnest($1::text[]) with ordinality u (j, position) order by position',
    [texts],
  )
  return rows.map((row) => row.text)
}

describe('what may be enqueued', () => {
  test.each([
    ['any JSON', anything],
    ['numbers', numbers],
  ] as const)('comes back from PostgreSQL as it was: %s', async (_name, arbitrary) => {
    const values = fc.sample<unknown>(arbitrary, 1_000).filter((value) => findJsonProblem(value, 'payload') === undefined)
    expect(values.length).toBeGreaterThan(300)
    const texts = values.map((value) => JSON.stringify(value))
    const stored = await throughJsonb(texts)
    for (const [index, text] of stored.entries()) {
      expect(parsePayload(text)).toEqual(JSON.parse(texts[index] ?? ''))
      // The table's limit is twice ours: PostgreSQL writes numbers out and adds spaces.
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2 * storedSize(texts[index] ?? ''))
    }
  })

  test('is just what PostgreSQL takes', async () => {
    for (const value of [{ a: 'x\0' }, ['\ud800'], { '\0': 1 }]) {
      expect(findJsonProblem(value, 'payload')).toBeDefined()
      await expect(throughJsonb([JSON.stringify(value)])).rejects.toMatchObject({ code: expect.stringMatching(/^22P0[25]$/) })
    }
  })
})

describe('what a handler returns', () => {
  test('is taken by PostgreSQL, whatever characters are in it', async () => {
    const texts = fc.sample(anything, 1_000).map((value) => makeStorable(value, 'result', 1_000_000) ?? 'null')
    const stored = await throughJsonb(texts)
    for (const [index, text] of stored.entries()) expect(JSON.parse(text)).toEqual(JSON.parse(texts[index] ?? ''))
  })
})
