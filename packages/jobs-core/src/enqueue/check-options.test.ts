import { describe, expect, test } from 'vitest'
import { checkOptions } from './check-options.ts'

const collectionNodeId = '01900000-0000-7000-8000-000000000001'
const check = (options: unknown) => () => checkOptions(options as never, 'enqueue(a_job)')
const withCollection = (options: object) => check({ collectionNodeId, ...options })

describe('checkOptions', () => {
  test.each([
    {},
    { collectionNodeId: collectionNodeId.toUpperCase() },
    { priority: -32_768 },
    { priority: 32_767 },
    { priority: undefined },
    { maxAttempts: 1 },
    { maxAttempts: 32_767 },
    { scheduledFor: new Date(0) },
    { scheduledFor: new Date(Date.UTC(275_760, 0, 1)) },
    { scheduledFor: new Date(Date.UTC(-4_712, 0, 1)) },
    { correlationId: 'x' },
    { correlationId: 'å'.repeat(200) },
    { unique: { key: 'x' } },
    { unique: { key: '😀'.repeat(256), until: 'finished', onConflict: 'debounce' } },
    { unique: { key: 'x', until: 'claimed', onConflict: 'keep' } },
    { unique: { key: 'x', onConflict: 'replace' } },
    { unique: undefined },
  ])('takes %o', (options) => {
    expect(withCollection(options)).not.toThrow()
  })

  test.each([
    [{ collectionNodeId: undefined }, 'collectionNodeId'],
    [{ collectionNodeId: '' }, 'collectionNodeId'],
    [{ collectionNodeId: 'not-a-uuid' }, 'collectionNodeId'],
    [{ collectionNodeId: `${collectionNodeId}0` }, 'collectionNodeId'],
    [{ priority: 40_000 }, 'priority'],
    [{ priority: -32_769 }, 'priority'],
    [{ priority: 1.5 }, 'priority'],
    [{ priority: '5' }, 'priority'],
    [{ priority: null }, 'priority'],
    [{ priority: 5n }, 'priority'],
    [{ maxAttempts: 40_000 }, 'maxAttempts'],
    [{ maxAttempts: 0 }, 'maxAttempts'],
    [{ maxAttempts: -1 }, 'maxAttempts'],
    [{ maxAttempts: 2.5 }, 'maxAttempts'],
    [{ maxAttempts: Number.NaN }, 'maxAttempts'],
    [{ scheduledFor: new Date('nonsense') }, 'scheduledFor'],
    [{ scheduledFor: '2026-01-01' }, 'scheduledFor'],
    [{ scheduledFor: 0 }, 'scheduledFor'],
    [{ scheduledFor: null }, 'scheduledFor'],
    [{ scheduledFor: new Date(8.64e15) }, 'scheduledFor'],
    [{ scheduledFor: new Date(-8.64e15) }, 'scheduledFor'],
    [{ correlationId: '' }, 'correlationId'],
    [{ correlationId: 'a\0b' }, 'correlationId'],
    [{ correlationId: '\ud800' }, 'correlationId'],
    [{ correlationId: 'x'.repeat(201) }, 'correlationId'],
    [{ correlationId: 7 }, 'correlationId'],
    [{ unique: 'key' }, 'unique'],
    [{ unique: null }, 'unique'],
    [{ unique: {} }, 'unique.key'],
    [{ unique: { key: '' } }, 'unique.key'],
    [{ unique: { key: 'a\0' } }, 'unique.key'],
    [{ unique: { key: 'x'.repeat(513) } }, 'unique.key'],
    [{ unique: { key: 'x', until: 'done' } }, 'unique.until'],
    [{ unique: { key: 'x', onConflict: 'ignore' } }, 'unique.onConflict'],
  ])('refuses %o, naming %s', (options, name) => {
    expect(withCollection(options)).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message: expect.stringMatching(new RegExp(`^enqueue\\(a_job\\): ${name} must be .*, got `)),
      }),
    )
  })

  test.each([undefined, null, 'x', 7])('refuses %o instead of options', (options) => {
    expect(check(options)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }))
  })

  test.each([
    [{ prioritet: 5 }, 'priority'],
    [{ collectionId: collectionNodeId }, 'collectionNodeId'],
    [{ maxattempts: 5 }, 'maxAttempts'],
    [{ unique: { key: 'x', onconflict: 'keep' } }, 'onConflict'],
  ])('for the mistyped %o asks whether %s was meant', (options, meant) => {
    expect(withCollection(options)).toThrow(new RegExp(`did you mean ${meant}\\?`))
  })

  test('for a name that is like none lists the known ones', () => {
    expect(withCollection({ timeout: 5 })).toThrow(/no option "timeout"\. Known: collectionNodeId, priority, /)
  })
})
