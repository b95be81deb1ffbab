/** A stretch of the audio, in milliseconds from its beginning. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** What is known about the audio; both lists in order. */
export interface Soundscape {
  readonly decodedMs: number
  /** Where it is so quiet that nobody can be heard. */
  readonly silences: readonly Span[]
  /** Where it is quieter than speech: between two words, most likely. */
  readonly pauses: readonly Span[]
}

/** How long pieces are. */
export interface PieceLimits {
  /** What a piece aims at. */
  readonly targetMs: number
  /** What it may never be longer than: servers have a bound for uploads. */
  readonly maxMs: number
}

/** Ten minutes of 16 kHz mono are 19 MB even unpacked, below the 25 MiB of OpenAI; and a room that opens meanwhile is noticed after a piece. */
export const PIECE_LIMITS: PieceLimits = { targetMs: 10 * 60_000, maxMs: 12 * 60_000 }

/** Of silence at the ends of a piece so much is kept: a recogniser hears the first word better after a breath. */
const breathMs = 500

/** Servers refuse audio of less than a tenth of a second: of a remainder this much at least becomes a piece. */
const shortestMs = 1_000

/**
 * Cuts audio into pieces that follow each other without overlap. A cut lies in the middle of the longest pause around the target, so that no
 * word is cut in two; where nobody pauses, at the longest a piece may be. Silence around the pieces is left out, but for a breath.
 */
export function planPieces({ decodedMs, silences, pauses }: Soundscape, { targetMs, maxMs }: PieceLimits): Span[] {
  const pieces: Span[] = []
  for (let doneMs = 0; doneMs < decodedMs; ) {
    const before = silences.find(({ startMs, endMs }) => startMs <= doneMs && endMs > doneMs)
    if (before !== undefined && before.endMs >= decodedMs) break
    const startMs = Math.max(doneMs, (before?.endMs ?? 0) - breathMs)
    const latestMs = Math.min(startMs + maxMs, decodedMs - shortestMs)
    const cutMs = cutBetween(startMs + targetMs / 2, latestMs, pauses) ?? latestMs
    doneMs = decodedMs - startMs > maxMs ? cutMs : decodedMs
    pieces.push({ startMs, endMs: withoutSilentEnd(doneMs, silences) })
  }
  return pieces
}

function cutBetween(fromMs: number, toMs: number, pauses: readonly Span[]): number | undefined {
  let longest: Span | undefined
  for (const pause of pauses) {
    const inside = { startMs: Math.max(pause.startMs, fromMs), endMs: Math.min(pause.endMs, toMs) }
    if (lengthOf(inside) > lengthOf(longest)) longest = inside
  }
  return longest && Math.round((longest.startMs + longest.endMs) / 2)
}

function withoutSilentEnd(endMs: number, silences: readonly Span[]): number {
  const after = silences.find((silence) => silence.startMs < endMs && silence.endMs >= endMs)
  return Math.min(endMs, (after?.startMs ?? endMs) + breathMs)
}

function lengthOf(span: Span | undefined): number {
  return span === undefined ? 0 : span.endMs - span.startMs
}
