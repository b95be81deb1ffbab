/** A date, or a time with its zone, as pages give it; null for what is none, or lies outside of what a page can be of. Never a zone that nobody said. */
export function readPublishedAt(said: string | null): string | null {
  const [, day, time = ''] =
    /^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2}))|[T ].*)?\s*$/i.exec(said ?? '') ?? []
  if (day === undefined) return null
  const at = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(day) || day < '1970' || day > '2100') return null
  if (time === '') return day
  const moment = Date.parse(`${day}T${time.replace(/\s/, '').replace(/([+-]\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(moment) ? day : new Date(moment).toISOString()
}
