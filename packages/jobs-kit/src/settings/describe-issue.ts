import type { z } from 'zod'

/** One line about one problem: where, what was expected, what came. `prefix` is the path of the whole settings. */
export function describeIssue(prefix: string, issue: z.core.$ZodIssue): string {
  return `${issue.path.reduce<string>(appendKey, prefix)}: ${problem(issue)}`
}

function problem(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.message
    case 'invalid_key':
      return `wrong key, ${issue.issues[0]?.message ?? issue.message}`
    case 'invalid_type':
      return `expected ${issue.expected}, got ${describeValue(issue.input)}`
    case 'invalid_value':
      return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}, got ${describeValue(issue.input)}`
    default:
      // zod writes "Too small: expected …"; our own messages begin with "expected".
      return `${issue.message.replace(/^[^:]*: (?=expected)/, '')}, got ${describeValue(issue.input)}`
  }
}

function appendKey(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`
  const text = String(key)
  return /^[a-z_$][\w$]*$/i.test(text) ? `${path}.${text}` : `${path}[${JSON.stringify(text)}]`
}

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object') return 'object'
  const text = JSON.stringify(value) ?? String(value)
  return `${typeof value} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`
}
