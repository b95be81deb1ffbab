const weight = 0.2

/** How long runs take of late. */
export interface Durations {
  add(durationMs: number): void
  /** Exponentially weighted; undefined before the first run. */
  average(): number | undefined
}

export function createDurations(): Durations {
  let average: number | undefined
  return {
    add(durationMs) {
      average = average === undefined ? durationMs : average + weight * (durationMs - average)
    },
    average: () => average,
  }
}
