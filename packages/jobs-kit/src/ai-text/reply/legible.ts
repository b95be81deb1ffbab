/** Control characters besides tab and line feed; what is not seen and carries words (tags), or makes a text read otherwise than it is stored. */
const UNSEEN = /[^\P{Cc}\t\n]|[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** A text without what nobody sees in it, with line feeds only, as PostgreSQL takes it: no NUL, no half surrogate pairs. */
export function legible(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNSEEN, '')
}

/** The same for every text in a value of JSON. */
export function legibleValue(value: unknown): unknown {
  if (typeof value === 'string') return legible(value)
  if (Array.isArray(value)) return value.map(legibleValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, legibleValue(item)]))
}
