/** Whether a client would rather have JSON than a page. With `*` or nothing it takes either: the page, where there is one. */
export function prefersJson(accept: string | null, hasPage: boolean): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange)
  const json = best(ranges, ['application/json', 'application/*', '*/*'])
  const page = best(ranges, ['text/html', 'text/*', '*/*'])
  if (!hasPage) return page.quality <= json.quality || page.type !== 'text/html'
  if (json.type !== 'application/json' || json.quality === 0) return false
  if (json.quality !== page.quality) return json.quality > page.quality
  return page.type !== 'text/html' || json.position < page.position
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

/** The most specific range that a type falls under. */
function best(ranges: Range[], types: string[]): Range & { position: number } {
  for (const type of types) {
    const position = ranges.findIndex((range) => range.type === type)
    const found = ranges[position]
    if (found) return { ...found, position }
  }
  return { type: '', quality: 0, position: ranges.length }
}
