import type { Draft } from './draft.ts'

/**
 * Ends every segment where the next one begins, at the latest. Those that begin together, as when lines were split after their times were
 * found, share the time by the length of their texts.
 * @param drafts sorted by their beginning.
 */
export function separate(drafts: readonly Draft[]): void {
  for (let first = 0; first < drafts.length; ) {
    const startMs = drafts[first]?.startMs ?? 0
    let next = first + 1
    while (drafts[next]?.startMs === startMs) next++
    share(drafts.slice(first, next), startMs, drafts[next]?.startMs ?? Number.POSITIVE_INFINITY)
    first = next
  }
}

function share(together: readonly Draft[], startMs: number, nextMs: number): void {
  const endMs = Math.min(
    nextMs,
    together.reduce((latest, draft) => Math.max(latest, draft.endMs), startMs),
  )
  const weights = together.map((draft) => (draft.endMs > startMs ? draft.text.length : 0))
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1
  let passed = 0
  for (const [index, draft] of together.entries()) {
    const from = startMs + Math.round(((endMs - startMs) * passed) / whole)
    passed += weights[index] ?? 0
    setTimes(draft, from, startMs + Math.round(((endMs - startMs) * passed) / whole))
  }
}

function setTimes(draft: Draft, startMs: number, endMs: number): void {
  if (draft.startMs === startMs && draft.endMs === endMs) return
  draft.suspect.add('overlap')
  Object.assign(draft, { startMs, endMs })
}
