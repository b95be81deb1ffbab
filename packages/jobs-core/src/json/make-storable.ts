import { describeError } from '../errors/describe-error.ts'
import { PermanentError } from '../errors/permanent-error.ts'
import { storedSize } from './stored-size.ts'

/**
 * Turns what a handler returned into JSON text that PostgreSQL takes: NUL and half surrogates become U+FFFD, so that one odd
 * character in a long result loses nothing else. Undefined becomes null.
 * @throws PermanentError `RESULT_INVALID`, `RESULT_TOO_LARGE`: the same attempt would give the same value again.
 */
export function makeStorable(value: unknown, what: string, maxBytes: number): string | null {
  if (value === undefined) return null
  const json = stringify(value, what)
  const size = storedSize(json)
  if (size > maxBytes) {
    throw new PermanentError(
      'RESULT_TOO_LARGE',
      `The ${what} is ${size} bytes of JSON; at most ${maxBytes} are stored. Keep large data in a table or a file and return its id or path.`,
    )
  }
  return json
}

function stringify(value: unknown, what: string): string {
  try {
    const json = JSON.stringify(value, (_key, inner) => (typeof inner === 'string' ? clean(inner) : inner))
    if (json !== undefined) return cleanKeys(json)
  } catch (cause) {
    throw new PermanentError('RESULT_INVALID', `The ${what} cannot be written as JSON: ${describeError(cause).message}`, { cause })
  }
  throw new PermanentError('RESULT_INVALID', `The ${what} is a ${typeof value}, which JSON cannot hold. Return plain data.`)
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** Values are clean by now: what is left of NUL and half surrogates, as JSON escapes them, stands in keys. */
function cleanKeys(json: string): string {
  return json.replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '$1\ufffd')
}
