const maxLength = 60

/** A short, safe rendering of any value, for messages. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > maxLength ? `${value.slice(0, maxLength)}…` : value)
    case 'bigint':
      return `${value}n`
    case 'function':
      return 'a function'
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? 'an array' : 'an object'
    default:
      return String(value)
  }
}
