import { InvalidPayloadError } from '../errors/permanent-error.ts'
import type { JsonValue } from './json-value.ts'

/**
 * Parses the JSON text of a stored payload without changing it silently: a whole number that JavaScript would round (SQL can store
 * 9007199254740993, a double cannot), and one beyond its largest, are refused by name.
 * @throws InvalidPayloadError `PAYLOAD_NUMBER_UNSAFE`
 */
export function parsePayload(text: string): JsonValue {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value, context?: { source?: string }) => {
    const source = context?.source ?? ''
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(source) || source === wholeDigits(value)) return value
    throw new InvalidPayloadError(
      'PAYLOAD_NUMBER_UNSAFE',
      `payload has ${shorten(source)} at ${JSON.stringify(key)}, a whole number JavaScript would round. Store such numbers as strings.`,
    )
  })
}

/** As PostgreSQL writes the number JavaScript sends for `value`: 1e+21 as 1000000000000000000000. */
function wholeDigits(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e+')
  if (exponent === undefined) return mantissa
  const [whole = '', fraction = ''] = mantissa.split('.')
  return whole + fraction.padEnd(Number(exponent), '0')
}

function shorten(digits: string): string {
  return digits.length <= 40 ? digits : `${digits.slice(0, 40)}… (${digits.length} digits)`
}
