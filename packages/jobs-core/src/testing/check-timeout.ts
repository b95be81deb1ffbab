import { ConfigurationError } from '../errors/configuration-error.ts'
import { show } from '../text/show.ts'

/** Longer than any test runs. */
const maxTimeoutMs = 86_400_000

/**
 * Refuses what is no length of time: with NaN a wait would never end.
 * @throws ConfigurationError `TEST_OPTION_INVALID`
 */
export function checkTimeout(timeoutMs: number, where: string): void {
  if (Number.isFinite(timeoutMs) && timeoutMs >= 0 && timeoutMs <= maxTimeoutMs) return
  throw new ConfigurationError(
    'TEST_OPTION_INVALID',
    `${where}: timeoutMs must be a number of milliseconds from 0 to ${maxTimeoutMs}, got ${show(timeoutMs)}.`,
  )
}
