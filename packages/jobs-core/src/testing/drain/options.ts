import { ConfigurationError } from '../../errors/configuration-error.ts'
import { show } from '../../text/show.ts'
import type { OnWorkerEvent } from '../../worker/events.ts'
import { type Duration, durationMs } from '../clock/duration.ts'
import { refuseUnknown } from '../refuse-unknown.ts'

/** What {@link drain} may be given. */
export interface DrainOptions {
  /**
   * True: what is scheduled ahead and what waits for its next attempt runs too, without waiting: whenever nothing is due the clock moves to the
   * next job (see `travel`). A length of time: only what comes within it, and ticks of schedules too; the clock stands that much later afterwards. Default false.
   */
  withScheduled?: boolean | Duration
  /** True: a run that fails makes `drain` throw at once. Snoozes and cancels are no failures. Default false. */
  failFast?: boolean
  /** How many jobs run at the same time, 1 … 1000. Default 1: one after the other, always in the same order. */
  maxConcurrent?: number
  /** How many runs at most, 1 … 1,000,000: a job that enqueues itself has no end. Default 1,000. */
  maxRuns?: number
  /** How long at most, in milliseconds, 1 … 1,800,000. Default 10,000. */
  timeoutMs?: number
  /** Told what the worker would tell. */
  onEvent?: OnWorkerEvent
}

export interface DrainSettings {
  /** How far the clock may be moved in all; 0: not at all. */
  travelMs: number
  failFast: boolean
  maxConcurrent: number
  maxRuns: number
  timeoutMs: number
  onEvent: OnWorkerEvent
}

const names = ['withScheduled', 'failFast', 'maxConcurrent', 'maxRuns', 'timeoutMs', 'onEvent'] as const satisfies (keyof DrainOptions)[]

/** @throws ConfigurationError `TEST_OPTION_INVALID` */
export function resolveDrainOptions(options: DrainOptions): DrainSettings {
  refuseUnknown(options, names, 'drain')
  return {
    travelMs: travelMs(options.withScheduled ?? false),
    failFast: options.failFast ?? false,
    maxConcurrent: integer('maxConcurrent', options.maxConcurrent ?? 1, 1_000),
    maxRuns: integer('maxRuns', options.maxRuns ?? 1_000, 1_000_000),
    timeoutMs: integer('timeoutMs', options.timeoutMs ?? 10_000, 1_800_000),
    onEvent: options.onEvent ?? (() => {}),
  }
}

function travelMs(withScheduled: boolean | Duration): number {
  if (typeof withScheduled === 'boolean') return withScheduled ? Number.POSITIVE_INFINITY : 0
  return durationMs(withScheduled, 'drain withScheduled')
}

function integer(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new ConfigurationError('TEST_OPTION_INVALID', `drain: ${name} must be a whole number from 1 to ${max}, got ${show(value)}.`)
}
