import { PermanentError, SnoozeError } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ConformanceOptions } from '../../src/testing/index.ts'
import type { Run } from './notes.ts'
import { running, says, violations } from './violations.ts'

describe('completes, with a result that can be stored', () => {
  const rule = 'completes, with a result that can be stored'
  const answering = (result: unknown) => running(async () => ({ result: result as string }))
  const cycle: { self?: unknown } = {}
  cycle.self = cycle

  test.each<[what: string, overrides: Partial<ConformanceOptions>, words: RegExp]>([
    [
      'a handler that fails',
      running(async () => Promise.reject(new PermanentError('BAD', 'no'))),
      /the handler failed: PermanentError BAD: no/,
    ],
    ['a write that fails', running(async () => ({ write: async () => Promise.reject(new Error('no')) })), /write failed: Error: no/],
    ['a handler that leaves nothing', running(async () => ({})), /neither a result nor a row/],
    ['a Date', answering({ at: new Date() }), /as something else/],
    ['NaN', answering({ mean: Number.NaN }), /as something else/],
    ['a Map', answering(new Map([['a', 1]])), /as something else/],
    ['a NUL', answering('a\0b'), /database refuses the result/],
    ['a BigInt', answering(1n), /is no JSON/],
    ['a cycle', answering(cycle), /is no JSON/],
    ['a function', answering(() => {}), /is no JSON/],
    ['257 KiB', answering('x'.repeat(257 * 1024)), /is 263170 bytes long; at most 262144/],
  ])('%s', async (_what, overrides, words) => {
    expect(await violations(rule, overrides)).toEqual(says(words))
  })

  test('a key without a value is fine', async () => {
    expect(await violations(rule, answering({ a: undefined, b: [{ c: undefined }] }))).toEqual([])
  })
})

describe('completes on its first attempt in a worker', () => {
  const rule = 'completes on its first attempt in a worker'

  test.each<[what: string, run: Run, words: RegExp]>([
    ['a handler that fails', async () => Promise.reject(new PermanentError('BAD', 'no')), /After its first attempt the job is error: no$/],
    ['a handler that comes back later', async () => Promise.reject(new SnoozeError(60_000, 'busy')), /the job is pending/],
    [
      'a write that commits',
      async () => ({
        write: async (trx) => {
          await sql`commit`.execute(trx)
        },
      }),
      /the job is error: write\(trx\) committed/,
    ],
    [
      'a write that goes on after a failed statement',
      async () => ({
        write: async (trx) => {
          await sql`select 1 / 0`.execute(trx).catch(() => {})
        },
      }),
      /the job is retry: .*current transaction is aborted/,
    ],
  ])('%s', async (_what, run, words) => {
    expect(await violations(rule, running(run))).toEqual(says(words))
  })
})
