const MOST_RANGES = 64

/** `Content-Range: bytes 0-199999/5760566` as start, exclusive end and the file's size. Undefined when it is something else. */
export function parseContentRange(header: string): { start: number; end: number; totalBytes: number | undefined } | undefined {
  const [, first, last, total] = /^\s*bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/i.exec(header) ?? []
  const start = Number(first)
  const end = Number(last) + 1
  const totalBytes = total === '*' ? undefined : Number(total)
  if (first === undefined || start >= end || (totalBytes !== undefined && end > totalBytes)) return undefined
  return { start, end, totalBytes }
}

/**
 * `Range: bytes=0-99,200-,-128` as starts and exclusive ends in turn. Undefined when it cannot be read, and when a range counts
 * from the end of a file whose size is unknown. Of a request with more than 64 ranges only the first 64 are read.
 * @param totalBytes the file's size, if known.
 * @param bodyBytes the answer's size: the end of an open range when the file's is unknown.
 */
export function parseRange(header: string | undefined, totalBytes: number | undefined, bodyBytes: number): number[] | undefined {
  const list = /^\s*bytes\s*=(.*)$/i.exec(header ?? '')?.[1]
  if (list === undefined) return undefined
  const ranges: number[] = []
  for (const text of list.split(',', MOST_RANGES)) {
    // Trimmed here: a pattern that allows for blanks before a number that may be missing takes time by the square of their number.
    const part = text.trim()
    // Servers pass over a part that is not there.
    if (part === '') continue
    const range = parsePart(part, totalBytes, bodyBytes)
    if (range === undefined) return undefined
    // A range that begins after the file's end is left out of the answer.
    if (range[0] < range[1]) ranges.push(...range)
  }
  return ranges.length > 0 ? ranges : undefined
}

function parsePart(part: string, totalBytes: number | undefined, bodyBytes: number): [number, number] | undefined {
  const [, first, last] = /^(\d{0,15})\s*-\s*(\d{0,15})$/.exec(part) ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  if (first === '') return totalBytes === undefined ? undefined : [Math.max(0, totalBytes - Number(last)), totalBytes]
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  const end = last === '' ? (totalBytes ?? start + bodyBytes) : Number(last) + 1
  return [start, Math.min(end, totalBytes ?? end)]
}
