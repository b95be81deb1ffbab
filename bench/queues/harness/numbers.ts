/** What is left of many measured values. */
export interface Percentiles {
  count: number
  p50: number
  p95: number
  p99: number
  max: number
}

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: round(sorted.at(-1) ?? Number.NaN) }
}

/** Of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [below, above] = [sorted[middle - 1] ?? Number.NaN, sorted[middle] ?? Number.NaN]
  return sorted.length % 2 === 0 ? (below + above) / 2 : above
}

/** To three decimals: microseconds, where the unit is a millisecond. */
export const round = (value: number) => Math.round(value * 1_000) / 1_000
