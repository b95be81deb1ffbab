import { InvalidPayloadError } from '../errors/permanent-error.ts'
import type { JsonValue } from './json-value.ts'

/**
 * Parses the JSON text of a stored payload without changing it silently: a whole number beyond 2^53, which SQL can store and
 * JavaScript cannot hold, is refused by name instead of rounded.
 * @throws InvalidPayloadError `PAYLOAD_NUMBER_UNSAFE`
 */
export function parsePayload(text: string): JsonValue {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value, context?: { source?: string }) => {
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')) {
      throw new InvalidPayloadError(
        'PAYLOAD_NUMBER_UNSAFE',
        `payload has ${context?.source} at ${JSON.stringify(key)}, a whole number JavaScript would round. Store such numbers as strings.`,
      )
    }
    return value
  })
}
