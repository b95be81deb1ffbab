import { describeError, maskSecrets } from '@sidelinja/jobs-core/worker'

const SECRET_NAME = /password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|token|credential|cookie|authorization/i
const DEEPEST = 6
const LONGEST_TEXT = 4_000
const LONGEST_LIST = 100

/**
 * A copy that can be logged: credentials masked, by form and by name; long texts and lists cut; errors as code and message. Handlers
 * may log anything, and a log line must not fail or leak for it.
 */
export function maskFields(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(maskSecrets(value))
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return '…'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString()
  if (value instanceof Error) {
    const { code, message } = describeError(value)
    return { code, message }
  }
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item) => maskFields(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAME.test(name) ? '***' : maskFields(item, depth + 1)]),
  )
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()} … (cut)`
}
