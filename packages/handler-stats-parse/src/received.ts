import type { AccessLine } from './access-line.ts'
import { parseContentRange, parseRange } from './range-header.ts'

/** Which bytes of the file one request delivered. */
export interface Received {
  /** Start (inclusive) and end (exclusive) in turn, in the order of the answer. */
  ranges: number[]
  /** The file's size, when this request tells it for certain. */
  totalBytes: number | undefined
}

/**
 * Works out what a 200 or 206 delivered: never more than `size`, nor than was asked for.
 * `probe`: a player asking for two bytes or fewer to learn the size. `empty`: no body. `unplaced`: a part whose place in the file
 * is not known, because neither answer nor question names it.
 * @param knownBytes the file's size as other requests told it, for ranges that count from the end.
 */
export function receivedBytes(line: AccessLine, knownBytes?: number): Received | 'probe' | 'empty' | 'unplaced' {
  if (line.range !== undefined && /^\s*bytes\s*=\s*0-[01]\s*$/i.test(line.range)) return 'probe'
  if (line.size === 0) return 'empty'
  if (line.status === 200) return wholeFile(line)
  const answered = line.contentRange === undefined ? undefined : parseContentRange(line.contentRange)
  const wanted = answered ? [answered.start, answered.end] : parseRange(line.range, knownBytes, line.size)
  if (wanted === undefined) return 'unplaced'
  const ranges = capTo(wanted, line.size)
  if (bytesIn(ranges) <= 2) return 'probe'
  return { ranges, totalBytes: answered?.totalBytes }
}

function wholeFile(line: AccessLine): Received {
  // A compressed answer's length says nothing about the file's.
  const declared = line.contentEncoding === undefined ? Number(line.contentLength) : Number.NaN
  const totalBytes = Number.isSafeInteger(declared) && declared > 0 ? declared : undefined
  return { ranges: [0, Math.min(line.size, totalBytes ?? line.size)], totalBytes }
}

// The body holds the ranges in the order they were asked for, so what is missing is missing at the end.
function capTo(ranges: readonly number[], size: number): number[] {
  const capped: number[] = []
  let left = size
  for (let index = 0; index < ranges.length && left > 0; index += 2) {
    const start = ranges[index] ?? 0
    const end = Math.min(ranges[index + 1] ?? 0, start + left)
    capped.push(start, end)
    left -= end - start
  }
  return capped
}

function bytesIn(ranges: readonly number[]): number {
  let bytes = 0
  for (let index = 0; index < ranges.length; index += 2) bytes += (ranges[index + 1] ?? 0) - (ranges[index] ?? 0)
  return bytes
}
