import type { JsonValue } from '@sidelinja/jobs-core'

/** PostgreSQL takes no NUL and no half pairs, in texts as in JSON. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** The same for every text of a value. */
export function storableJson(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'string' ? storable(each) : each)))
}
