import { ConfigurationError } from '../errors/configuration-error.ts'
import { closest } from '../text/closest.ts'
import { show } from '../text/show.ts'

/**
 * A mistyped name would make a test pass for the wrong reason.
 * @param where who asks, for messages: `expectEnqueued`.
 * @throws ConfigurationError `TEST_OPTION_INVALID`
 */
export function refuseUnknown(options: object, known: readonly string[], where: string): void {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError('TEST_OPTION_INVALID', `${where}: expected an object with ${known.join(', ')}, got ${show(options)}.`)
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const near = closest(unknown, known)
  throw new ConfigurationError(
    'TEST_OPTION_INVALID',
    `${where}: there is no ${show(unknown)}${near ? `; did you mean ${near}?` : '.'} Known: ${known.join(', ')}.`,
  )
}
