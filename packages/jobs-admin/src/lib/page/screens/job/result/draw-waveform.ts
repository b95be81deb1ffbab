/** A waveform as a drawing, and what there is to say about it for who cannot see it. */
export interface WaveformDrawing {
  /** Of `viewBox`: one bar a unit, 256 high. */
  path: string
  viewBox: string
  /** The highest level, in percent of what is possible. */
  peak: number
  /** How much of the time is nearly silent, in percent. */
  quiet: number
}

/** More cannot be told apart on a page of usual width. */
const mostBars = 260
/** Of 127: about −36 dB. */
const nearlySilent = 2
const middle = 128

/** Draws pairs of lowest and highest as bars. Of pairs that share a bar no peak is lost; silence is a thin line. Pure. */
export function drawWaveform(peaks: readonly number[]): WaveformDrawing {
  const levels = levelsOf(peaks)
  const count = Math.min(levels.length, mostBars)
  const bars = Array.from({ length: count }, (_, index) => {
    const range = levels.slice(Math.floor((index * levels.length) / count), Math.floor(((index + 1) * levels.length) / count))
    return { low: Math.min(-1, ...range.map(({ low }) => low)), high: Math.max(1, ...range.map(({ high }) => high)) }
  })
  const loudest = levels.reduce((most, level) => Math.max(most, loudness(level)), 0)
  const quiet = levels.filter((level) => loudness(level) <= nearlySilent).length
  return {
    path: bars.map(({ low, high }, index) => `M${index + 0.15} ${middle - high}h.7V${middle - low}h-.7z`).join(''),
    viewBox: `0 0 ${Math.max(count, 1)} ${2 * middle}`,
    peak: Math.min(100, Math.round((100 * loudest) / 127)),
    quiet: levels.length === 0 ? 100 : Math.round((100 * quiet) / levels.length),
  }
}

interface Level {
  low: number
  high: number
}

function levelsOf(peaks: readonly number[]): Level[] {
  return Array.from({ length: Math.floor(peaks.length / 2) }, (_, index) => ({
    low: peaks[2 * index] ?? 0,
    high: peaks[2 * index + 1] ?? 0,
  }))
}

function loudness({ low, high }: Level): number {
  return Math.max(-low, high)
}
