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

function toLevel(
  { samplesPerPixel, points, data }: { samplesPerPixel: number; points: number; data: Int8Array },
  sampleRate: number,
): Level {
  const head = { version: 2, channels: 1, sample_rate: sampleRate, samples_per_pixel: samplesPerPixel, bits: 8, length: points }
  // Joined from the bytes: a list of two million numbers would be ten times as large.
  return { points, samplesPerPixel, content: `${JSON.stringify(head).slice(0, -1)},"data":[${data.join(',')}]}` }
}
