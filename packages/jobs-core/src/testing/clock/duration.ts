import { ConfigurationError } from '../../errors/configuration-error.ts'
import { show } from '../../text/show.ts'
import { refuseUnknown } from '../refuse-unknown.ts'

/** A length of time: the sum of its parts, none of them negative. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
  milliseconds?: number
}

const unitsMs: Record<keyof Duration, number> = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000, milliseconds: 1 }

/**
 * The length in milliseconds.
 * @param where who asks, for messages: `travel`.
 * @throws ConfigurationError `TEST_OPTION_INVALID`
 */
export function durationMs(duration: Duration, where: string): number {
  const units = Object.keys(unitsMs) as (keyof Duration)[]
  refuseUnknown(duration, units, where)
  const parts = units.map((unit) => [unit, duration[unit] ?? 0] as const)
  const wrong = parts.find(([, value]) => !Number.isFinite(value) || value < 0)
  if (wrong) {
    throw new ConfigurationError('TEST_OPTION_INVALID', `${where}: ${wrong[0]} must be a number, 0 or more, got ${show(wrong[1])}.`)
  }
  return parts.reduce((sum, [unit, value]) => sum + value * unitsMs[unit], 0)
}

/** True for what is meant as a {@link Duration}. */
export function isDuration(value: unknown): value is Duration {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}
