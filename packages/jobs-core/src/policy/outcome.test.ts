import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { InvalidPayloadError, PermanentError } from '../errors/permanent-error.ts'
import { LeaseLostError } from '../errors/queue-error.ts'
import { SnoozeError } from '../errors/snooze-error.ts'
import { TimeoutError, TransientError } from '../errors/transient-error.ts'
import { decideOutcome, type Ending } from './outcome.ts'

const decide = (ending: Ending, attempt = 1, random = 0) => decideOutcome(ending, attempt, random)

describe('decideOutcome', () => {
  test.each([
    ['an ordinary error', new Error('x'), { permanent: false, delayMs: 30_000 }],
    ['something that is no error', undefined, { permanent: false, delayMs: 30_000 }],
    ['a transient error', new TransientError('T', 'x'), { permanent: false, delayMs: 30_000 }],
    ['one that says when', new TransientError('T', 'x', { retryAfterMs: 90_000 }), { permanent: false, delayMs: 90_000 }],
    [
      'one that says when in a year',
      new TransientError('T', 'x', { retryAfterMs: 365 * 86_400_000 }),
      { permanent: false, delayMs: 86_400_000 },
    ],
    ['a time limit of its own', new TimeoutError('T', 'x'), { permanent: false, delayMs: 30_000 }],
    ['a permanent error', new PermanentError('P', 'x'), { permanent: true, delayMs: 0 }],
    ['an invalid payload', new InvalidPayloadError('P', 'x'), { permanent: true, delayMs: 0 }],
    [
      "a configuration fault, which is the worker's and not the job's",
      new ConfigurationError('C', 'x'),
      { permanent: false, delayMs: 30_000 },
    ],
    ['an error of the queue', new LeaseLostError('L', 'x'), { permanent: false, delayMs: 30_000 }],
    [
      'a permanent error wrapped in an ordinary one',
      new Error('x', { cause: new PermanentError('P', 'y') }),
      { permanent: false, delayMs: 30_000 },
    ],
  ])('a handler that threw %s failed', (_name, error, expected) => {
    expect(decide({ kind: 'threw', error })).toMatchObject({ kind: 'failed', endReason: 'failed', ...expected })
    expect(decide({ kind: 'timeout', error })).toMatchObject({ kind: 'failed', endReason: 'timeout', ...expected })
  })

  test('waits longer after later attempts, with the random part', () => {
    expect(decide({ kind: 'threw', error: 'x' }, 3, 1).delayMs).toBe(132_000)
    expect(decide({ kind: 'threw', error: 'x' }, 32_767, 0).delayMs).toBe(6 * 3_600_000)
  })

  test.each([
    [60_000, 60_000],
    [0, 1_000],
    [-5, 1_000],
    [Number.NaN, 1_000],
    [Number.POSITIVE_INFINITY, 86_400_000],
    [10 * 86_400_000, 86_400_000],
    [undefined, 1_000],
  ])('a snooze of %s ms is one of %i', (asked, delayMs) => {
    const error = new SnoozeError(asked as number, 'the service is down')
    expect(decide({ kind: 'threw', error })).toMatchObject({ kind: 'snoozed', endReason: 'snoozed', permanent: false, delayMs })
    expect(decide({ kind: 'threw', error }).error).toMatchObject({ code: 'SNOOZED', message: 'the service is down' })
  })

  test.each([
    [{ kind: 'interrupted' }, { kind: 'released', endReason: 'interrupted', permanent: false, delayMs: 0, error: { code: 'INTERRUPTED' } }],
    [
      { kind: 'unstarted' },
      { kind: 'unstarted', endReason: 'interrupted', permanent: false, delayMs: 0, error: { code: null, message: '' } },
    ],
    [{ kind: 'cancelled' }, { kind: 'cancelled', endReason: 'cancelled', permanent: true, delayMs: 0, error: { code: 'CANCELLED' } }],
  ] as const)('%o', (ending, outcome) => {
    expect(decide(ending)).toMatchObject(outcome)
  })
})
