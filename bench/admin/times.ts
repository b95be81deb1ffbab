/** What was measured, in milliseconds. */
export interface Times {
  p50: number
  p95: number
  worst: number
}

/** Runs something again and again, after a first time that only warms up. */
export async function times(rounds: number, run: (round: number) => Promise<unknown>): Promise<Times> {
  await run(0)
  const taken: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const from = performance.now()
    await run(round)
    taken.push(performance.now() - from)
  }
  taken.sort((a, b) => a - b)
  const at = (share: number) => round(taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? Number.NaN)
  return { p50: at(0.5), p95: at(0.95), worst: at(1) }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
