import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineJob, isJobType, type JobDefinition } from './define-job.ts'

const payload = z.object({ n: z.number() })
const define = (options: object) => () => defineJob({ type: 'a_job', payload, ...options } as never)

describe('defineJob', () => {
  test('fills in the defaults and freezes the definition', () => {
    const definition = defineJob({ type: 'a_job', payload })
    expect(definition).toMatchObject({ type: 'a_job', priority: 0, maxAttempts: 3, timeoutMs: 600_000 })
    expect(Object.isFrozen(definition)).toBe(true)
  })

  test('keeps apart what the schema takes and what it gives', () => {
    const definition = defineJob({ type: 'a_job', payload: z.object({ n: z.number().default(1) }) })
    expectTypeOf(definition).toEqualTypeOf<JobDefinition<{ n?: number | undefined }, { n: number }>>()
    expect(definition.payload['~standard'].validate({})).toEqual({ value: { n: 1 } })
  })

  test.each([
    { priority: -32_768 },
    { priority: 32_767 },
    { maxAttempts: 1 },
    { maxAttempts: 32_767 },
    { timeoutMs: 1 },
    { timeoutMs: 2_147_483_647 },
  ])('takes the legal edge %o', (options) => {
    expect(define(options)()).toMatchObject(options)
  })

  test.each([
    [{ priority: -32_769 }, 'priority', '-32769'],
    [{ priority: 32_768 }, 'priority', '32768'],
    [{ priority: 1.5 }, 'priority', '1.5'],
    [{ priority: Number.NaN }, 'priority', 'NaN'],
    [{ priority: 5n }, 'priority', '5n'],
    [{ priority: '5' }, 'priority', '"5"'],
    [{ maxAttempts: 0 }, 'maxAttempts', '0'],
    [{ maxAttempts: -1 }, 'maxAttempts', '-1'],
    [{ maxAttempts: 32_768 }, 'maxAttempts', '32768'],
    [{ maxAttempts: Number.POSITIVE_INFINITY }, 'maxAttempts', 'Infinity'],
    [{ timeoutMs: 0 }, 'timeoutMs', '0'],
    [{ timeoutMs: 2_147_483_648 }, 'timeoutMs', '2147483648'],
    [{ payload: undefined }, 'payload', 'undefined'],
    [{ payload: { '~standard': {} } }, 'payload', 'an object'],
    [{ payload: () => true }, 'payload', 'a function'],
    [{ type: '' }, 'type', '""'],
    [{ type: 'Camel' }, 'type', '"Camel"'],
    [{ type: undefined }, 'type', 'undefined'],
    [{ type: 7n }, 'type', '7n'],
  ])('refuses %o, naming the option and what it got', (options, option, got) => {
    expect(define(options)).toThrow(
      expect.objectContaining({
        code: 'DEFINITION_INVALID',
        message: expect.stringMatching(new RegExp(`${option} must be .*, got ${got}\\.$`)),
      }),
    )
  })
})

describe('isJobType', () => {
  test.each(['a', 'whisper_transcribe', 'a1', 'a__b', `a${'b'.repeat(62)}`])('takes %s', (type) => {
    expect(isJobType(type)).toBe(true)
  })

  test.each(['', '_a', '1a', 'A', 'a-b', 'a b', 'a\n', 'å', 'a.b', `a${'b'.repeat(63)}`, 7, null, undefined, ['a']])(
    'refuses %o',
    (type) => {
      expect(isJobType(type)).toBe(false)
    },
  )
})
