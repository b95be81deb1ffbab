/** A stretch of a file, in milliseconds from its beginning. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** What 16 bits can tell apart from nothing. */
const faintestDb = -90.3
const fullScale = 32_768
/** Beyond this the shortest silences are left out: a hostile day has 86,400 of them. */
const maxSilences = 10_000

interface MeterOptions {
  sampleRate: number
  /** Quieter than this, in decibels below full scale, is silence. */
  noiseDb: number
  minSilenceMs: number
}

/** Finds a recording's silences and its loudest sample, piece by piece. */
export function createMeter({ sampleRate, noiseDb, minSilenceMs }: MeterOptions) {
  const threshold = fullScale * 10 ** (noiseDb / 20)
  let silences: Span[] = []
  let shortestMs = minSilenceMs
  let position = 0
  let quietFrom = 0
  let peak = 0

  const toMs = (samples: number) => Math.round((samples * 1_000) / sampleRate)
  const endSilence = (at: number) => {
    const span = { startMs: toMs(quietFrom), endMs: toMs(at) }
    if (at === quietFrom || span.endMs - span.startMs < shortestMs) return
    silences.push(span)
    while (silences.length > maxSilences) {
      shortestMs *= 2
      silences = silences.filter(({ startMs, endMs }) => endMs - startMs >= shortestMs)
    }
  }
  return {
    add(samples: Int16Array): void {
      for (const sample of samples) {
        const level = sample < 0 ? -sample : sample
        if (level >= threshold) {
          if (quietFrom < position) endSilence(position)
          quietFrom = position + 1
          if (level > peak) peak = level
        } else if (level > peak) peak = level
        position++
      }
    },
    end(): { silences: Span[]; maxVolumeDb: number } {
      endSilence(position)
      quietFrom = position
      const maxVolumeDb = peak === 0 ? faintestDb : 20 * Math.log10(peak / fullScale)
      return { silences, maxVolumeDb: Math.round(maxVolumeDb * 10) / 10 + 0 } // + 0: no negative zero
    },
  }
}
