/** True when `value` can name a service: lower case letters, digits, `-` and `_`, a letter first, at most 63 characters. */
export function isServiceName(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z0-9_-]{0,62}$/.test(value)
}
