import { describeError, type ErrorDescription } from '../errors/describe-error.ts'
import { isJobsError } from '../errors/jobs-error.ts'
import type { SnoozeError } from '../errors/snooze-error.ts'
import type { TransientError } from '../errors/transient-error.ts'
import { backoffMs } from './backoff.ts'

/** How a run ended without success, before it is known what that means for the row. */
export type Ending =
  | { kind: 'threw'; error: unknown }
  | { kind: 'timeout'; error: unknown }
  /** The worker stops and the handler obeyed, or had no time left. */
  | { kind: 'interrupted' }
  /** Claimed ahead of a free slot and handed back: its handler never started. */
  | { kind: 'unstarted' }
  | { kind: 'cancelled' }

/**
 * What an ending means for the row. The final word is the statement's, which sees the row itself: a cancel requested meanwhile
 * wins, and a failure without attempts left is final.
 */
export interface Outcome {
  kind: 'failed' | 'snoozed' | 'released' | 'unstarted' | 'cancelled'
  /** The reason in job_attempts. */
  endReason: 'failed' | 'timeout' | 'snoozed' | 'interrupted' | 'cancelled'
  permanent: boolean
  /** From the settle's time to the next attempt. */
  delayMs: number
  error: ErrorDescription
}

const minSnoozeMs = 1_000
const maxSnoozeMs = 24 * 3_600_000
const noError: ErrorDescription = { code: null, message: '', stack: null }

/**
 * Decides what an unsuccessful run means.
 * @param attempt the number of the attempt that ended, from 1.
 * @param random a number from 0 to 1, for the backoff.
 */
export function decideOutcome(ending: Ending, attempt: number, random: number): Outcome {
  switch (ending.kind) {
    case 'threw':
      return fromError(ending.error, 'failed', attempt, random)
    case 'timeout':
      return fromError(ending.error, 'timeout', attempt, random)
    case 'interrupted':
      return {
        kind: 'released',
        endReason: 'interrupted',
        permanent: false,
        delayMs: 0,
        error: { code: 'INTERRUPTED', message: 'The worker stopped before the job was done; the attempt was not charged.', stack: null },
      }
    case 'unstarted':
      return { kind: 'unstarted', endReason: 'interrupted', permanent: false, delayMs: 0, error: noError }
    case 'cancelled':
      return {
        kind: 'cancelled',
        endReason: 'cancelled',
        permanent: true,
        delayMs: 0,
        error: { code: 'CANCELLED', message: 'Cancelled on request.', stack: null },
      }
  }
}

function fromError(error: unknown, endReason: 'failed' | 'timeout', attempt: number, random: number): Outcome {
  const description = describeError(error)
  if (isJobsError(error, 'snooze')) {
    const asked = Number((error as SnoozeError).delayMs)
    const delayMs = Number.isNaN(asked) ? minSnoozeMs : Math.min(Math.max(asked, minSnoozeMs), maxSnoozeMs)
    return { kind: 'snoozed', endReason: 'snoozed', permanent: false, delayMs, error: description }
  }
  // A configuration fault is the worker's, not the job's: another worker, or this one mended, may well succeed.
  const permanent = isJobsError(error, 'permanent')
  const retryAfterMs = isJobsError(error, 'transient') ? readNumber(() => (error as TransientError).retryAfterMs) : undefined
  return { kind: 'failed', endReason, permanent, delayMs: permanent ? 0 : backoffMs(attempt, random, retryAfterMs), error: description }
}

/** A finite number, or undefined for anything else an error may carry there. */
function readNumber(read: () => unknown): number | undefined {
  try {
    const value = read()
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  } catch {
    return undefined
  }
}
