/** A text that PostgreSQL stores as it is, of 1 to `max` characters. */
export function isStorableText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= max && value.isWellFormed() && !value.includes('\0')
}
