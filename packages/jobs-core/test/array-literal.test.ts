import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrayLiteral } from '../src/database/array-literal.ts'
import { useQueue } from './support/use-queue.ts'

const queue = useQueue()
const read = async (values: (string | null)[]) =>
  (await queue.pool.query('select to_jsonb($1::text[]) as read', [arrayLiteral(values)])).rows[0].read

test('PostgreSQL reads what was written, whatever stands in it', async () => {
  const hard = ['', ' ', ',', '{}', '{"a":"b\\\\"}', '"', '\\', '\\"', 'NULL', 'null', "'", '\n\t', 'æ∑😀', null, '1', 'a-f', '-']
  expect(await read(hard)).toEqual(hard)
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed())
  const values = fc.array(fc.option(text), { maxLength: 20 })
  const checked = fc.asyncProperty(values, async (some) => {
    expect(await read(some)).toEqual(some)
  })
  await fc.assert(checked, { numRuns: 100 })
})

test('numbers and ids stand as they are', () => {
  expect(arrayLiteral([1, 2])).toBe('{1,2}')
  expect(arrayLiteral(['0192a000-0000-7000-8000-000000000001'])).toBe('{0192a000-0000-7000-8000-000000000001}')
})
