import type { Draft } from './draft.ts'
import { MAX_MS } from './timing.ts'

/** Gives every segment, in the order in which they came, times that can be: whole, not backward, within the recording. */
export function mendTimes(drafts: readonly Draft[], durationMs: number | undefined): void {
  const before = { startMs: 0, endMs: 0 }
  for (const draft of drafts) {
    fillIn(draft, before.endMs)
    turnRound(draft, before.startMs)
    clamp(draft, durationMs)
    if (draft.startMs < before.startMs) draft.suspect.add('unordered')
    else before.startMs = draft.startMs
    before.endMs = draft.endMs
  }
}

/** Without a beginning it follows the one before; without an end it takes no time. */
function fillIn(draft: Draft, previousEndMs: number): void {
  if (Number.isFinite(draft.startMs) && Number.isFinite(draft.endMs)) return
  draft.suspect.add('no_time')
  if (!Number.isFinite(draft.startMs)) draft.startMs = Number.isFinite(draft.endMs) ? Math.min(previousEndMs, draft.endMs) : previousEndMs
  if (!Number.isFinite(draft.endMs)) draft.endMs = draft.startMs
}

/** Two times in the wrong order are changed round, unless that would take the text out of its order; then the first one counts. */
function turnRound(draft: Draft, previousStartMs: number): void {
  const { startMs, endMs } = draft
  if (endMs >= startMs) return
  draft.suspect.add('backward')
  if (endMs >= previousStartMs) Object.assign(draft, { startMs: endMs, endMs: startMs })
  else draft.endMs = startMs
}

function clamp(draft: Draft, durationMs: number | undefined): void {
  const within = (ms: number, most: number) => Math.min(Math.max(Math.round(ms), 0), most)
  const inRange = { startMs: within(draft.startMs, MAX_MS), endMs: within(draft.endMs, MAX_MS) }
  if (draft.startMs < 0 || draft.endMs > MAX_MS) draft.suspect.add('out_of_range')
  const endMs = durationMs === undefined ? MAX_MS : Math.round(durationMs)
  if (inRange.endMs > endMs) draft.suspect.add('past_end')
  Object.assign(draft, { startMs: within(inRange.startMs, endMs), endMs: within(inRange.endMs, endMs) })
}
