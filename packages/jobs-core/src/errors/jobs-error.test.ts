import { describe, expect, test } from 'vitest'
import { ConfigurationError } from './configuration-error.ts'
import { isJobsError, JobsError } from './jobs-error.ts'
import { InvalidPayloadError, PermanentError } from './permanent-error.ts'
import { JobNotFoundError, JobStateError, LeaseLostError } from './queue-error.ts'
import { SnoozeError } from './snooze-error.ts'
import { TimeoutError, TransientError } from './transient-error.ts'

describe('isJobsError', () => {
  test('knows the errors of another copy of this module', async () => {
    const other: typeof import('./jobs-error.ts') = await import(`./jobs-error.ts?${'copy'}`)
    expect(other.JobsError).not.toBe(JobsError)
    const error = new other.JobsError('permanent', 'FOREIGN', 'made by another copy')
    expect(error).not.toBeInstanceOf(JobsError)
    expect(isJobsError(error)).toBe(true)
    expect(isJobsError(error, 'permanent')).toBe(true)
    expect(isJobsError(error, 'transient')).toBe(false)
    expect(other.isJobsError(new JobsError('queue', 'OURS', 'made by this one'), 'queue')).toBe(true)
  })

  test('says no to what only looks like one', () => {
    for (const value of [undefined, null, 'text', 42, {}, new Error('x'), { kind: 'permanent', code: 'X' }, revoked()]) {
      expect(isJobsError(value)).toBe(false)
      expect(isJobsError(value, 'permanent')).toBe(false)
    }
  })

  test.each([
    [new ConfigurationError('C', 'm'), 'configuration', 'ConfigurationError'],
    [new PermanentError('C', 'm'), 'permanent', 'PermanentError'],
    [new InvalidPayloadError('C', 'm'), 'permanent', 'InvalidPayloadError'],
    [new TransientError('C', 'm'), 'transient', 'TransientError'],
    [new TimeoutError('C', 'm'), 'transient', 'TimeoutError'],
    [new JobNotFoundError('C', 'm'), 'queue', 'JobNotFoundError'],
    [new JobStateError('C', 'm'), 'queue', 'JobStateError'],
    [new LeaseLostError('C', 'm'), 'queue', 'LeaseLostError'],
    [new SnoozeError(1_000, 'm'), 'snooze', 'SnoozeError'],
  ] as const)('%s is of its kind and name', (error, kind, name) => {
    expect(isJobsError(error, kind)).toBe(true)
    expect(error).toMatchObject({ name, message: 'm', code: kind === 'snooze' ? 'SNOOZED' : 'C' })
    expect(String(error)).toBe(`${name}: m`)
  })

  test('keeps the cause', () => {
    const cause = new Error('deep')
    expect(new TransientError('C', 'm', { cause, retryAfterMs: 5 })).toMatchObject({ cause, retryAfterMs: 5 })
    expect(new SnoozeError(1, 'm', { cause }).cause).toBe(cause)
  })
})

/** A proxy that throws whatever is asked of it. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
