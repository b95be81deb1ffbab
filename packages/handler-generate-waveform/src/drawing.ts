import { createPeaks } from './peaks.ts'

/** Wider than a screen has pixels. */
const maxOverviewPoints = 4_000
/** Fine enough for a file of seconds; long ones are made coarser as they come. */
const finestSamplesPerPixel = 64

/** 20 points a second: words and pauses can be told apart. */
const detailPointsPerSecond = 20
/** Nearly 14 hours of them, 10 MB of JSON. */
const maxDetailPoints = 1_000_000

/** One level of a waveform. */
export interface Level {
  readonly points: number
  readonly samplesPerPixel: number
  /** audiowaveform's JSON, version 2. */
  readonly content: string
}

type Points = ReturnType<ReturnType<typeof createPeaks>['end']>

/** Takes a recording's samples and makes both of its waveforms, in one go. */
export function createDrawing(sampleRate: number) {
  const overview = createPeaks({ samplesPerPixel: finestSamplesPerPixel, maxPoints: maxOverviewPoints })
  const detail = createPeaks({ samplesPerPixel: Math.round(sampleRate / detailPointsPerSecond), maxPoints: maxDetailPoints })
  return {
    add(samples: Int16Array): void {
      overview.add(samples)
      detail.add(samples)
    },
    end(): { overview: Level; detail: Level } {
      const [coarse, fine] = [overview.end(), detail.end()]
      // Of a file of minutes the overview is the finer one.
      const finest = fine.samplesPerPixel <= coarse.samplesPerPixel ? fine : coarse
      return { overview: toLevel(coarse, sampleRate), detail: toLevel(finest, sampleRate) }
    },
  }
}

function toLevel({ samplesPerPixel, points, data }: Points, sampleRate: number): Level {
  const head = { version: 2, channels: 1, sample_rate: sampleRate, samples_per_pixel: samplesPerPixel, bits: 8, length: points }
  return { points, samplesPerPixel, content: toJson(JSON.stringify(head).slice(0, -1), data) }
}

const words = Array.from({ length: 256 }, (_, byte) => Buffer.from(`${byte - 128},`))
const wordOf = (value: number) => words[value + 128] as Buffer

/** Written byte by byte into one buffer: lists and texts of a million numbers would take many times the memory. */
function toJson(head: string, data: Int8Array): string {
  const [before, after] = [`${head},"data":[`, ']}']
  const textLength = data.reduce((sum, value) => sum + wordOf(value).length, 0)
  const json = Buffer.allocUnsafe(before.length + textLength + after.length)
  let length = json.write(before)
  for (const value of data) {
    for (const byte of wordOf(value)) json[length++] = byte
  }
  // Over the last comma; a recording has at least one point.
  length += json.write(after, length - 1) - 1
  return json.toString('latin1', 0, length)
}
