import { z } from 'zod'

const sample = z.int().min(-128).max(127)
const waveform = z.object({ version: z.literal(2), channels: z.literal(1), bits: z.literal(8), data: z.array(sample) })

/** As many as the widest page has room for: pairs. */
const mostPoints = 1_000

/** The peaks of audiowaveform's JSON, version 2, in at most 1,000 points: pairs of lowest and highest. Undefined for anything else. Pure. */
export function peaksOf(content: string): number[] | undefined {
  const parsed = waveform.safeParse(parseJson(content))
  return parsed.success ? withFewerPoints(parsed.data.data, mostPoints) : undefined
}

/** Of points that become one, the lowest and the highest: no peak is lost. */
export function withFewerPoints(peaks: readonly number[], most: number): number[] {
  const points = Math.floor(peaks.length / 2)
  const kept = Math.min(points, most)
  return Array.from({ length: kept }, (_, index) => {
    const range = peaks.slice(2 * Math.floor((index * points) / kept), 2 * Math.floor(((index + 1) * points) / kept))
    return [Math.min(...range), Math.max(...range)]
  }).flat()
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return undefined
  }
}
