import { isBoilerplate } from './boilerplate.ts'
import type { Draft } from './draft.ts'
import type { Silence } from './segment.ts'

/** Times of recognisers are a little off. */
const SILENT_SHARE = 0.9

/**
 * Flags segments that lie in silence, and among them, and among those in which the recogniser itself heard nobody, the phrases it is
 * known to invent then.
 * @param drafts in order, none reaching into the next.
 */
export function flagSilence(drafts: readonly Draft[], silences: readonly Silence[]): void {
  const sorted = silences.toSorted((a, b) => a.startMs - b.startMs)
  let first = 0
  for (const draft of drafts) {
    while ((sorted[first]?.endMs ?? Number.POSITIVE_INFINITY) < draft.startMs) first++
    if (silentShare(draft, sorted, first) >= SILENT_SHARE) draft.suspect.add('silence')
    const nobodySpoke = draft.suspect.has('silence') || draft.suspect.has('no_speech')
    if (nobodySpoke && isBoilerplate(draft.text)) draft.suspect.add('boilerplate')
  }
}

function silentShare({ startMs, endMs }: Draft, silences: readonly Silence[], first: number): number {
  if (startMs === endMs) return silences[first] && silences[first].startMs <= startMs && silences[first].endMs >= endMs ? 1 : 0
  let silentMs = 0
  for (let index = first; index < silences.length; index++) {
    const silence = silences[index]
    if (!silence || silence.startMs >= endMs) break
    silentMs += Math.max(0, Math.min(silence.endMs, endMs) - Math.max(silence.startMs, startMs))
  }
  return silentMs / (endMs - startMs)
}
