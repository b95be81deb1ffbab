/** Whether a client would rather have JSON than a page. With `*` or nothing it takes either, and gets the page. */
export function prefersJson(accept: string | null): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange)
  const json = ranges.findIndex(({ type }) => type === 'application/json')
  const page = ['text/html', 'text/*', '*/*'].map((type) => ranges.findIndex((range) => range.type === type)).find((index) => index >= 0)
  const jsonQuality = ranges[json]?.quality ?? 0
  const pageQuality = ranges[page ?? -1]?.quality ?? 0
  if (jsonQuality === 0 || jsonQuality < pageQuality) return false
  // Of two that are as welcome: a page that is named, and named first.
  return jsonQuality > pageQuality || ranges[page ?? -1]?.type !== 'text/html' || json < (page ?? 0)
}

interface Range {
  type: string
  quality: number
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const value = quality === undefined ? 1 : Number(quality.slice(2))
  return { type, quality: Number.isFinite(value) ? Math.min(Math.max(value, 0), 1) : 0 }
}
