/** A column of JSON as a test may give it: an object or a list, or JSON text. */
export type JsonColumn = object | string

/** As PostgreSQL takes it. */
export function jsonText(value: JsonColumn): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
