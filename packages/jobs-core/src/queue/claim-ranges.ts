/**
 * Numbers as PostgreSQL writes an int8multirange; null for none. What was claimed together starts together, so it is one range nearly always.
 */
export function rangesOf(claims: readonly number[]): string | null {
  if (claims.length === 0) return null
  const ranges: { from: number; to: number }[] = []
  for (const claim of claims.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.to === claim) last.to++
    else ranges.push({ from: claim, to: claim + 1 })
  }
  return `{${ranges.map(({ from, to }) => `[${from},${to})`).join(',')}}`
}
