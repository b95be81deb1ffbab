import type { VerboseSegment } from '../transcription.ts'

/** Splits at words, so that no text is longer than allowed; a longer word stays whole. */
export function splitSegments(segments: readonly VerboseSegment[], maxLength: number): VerboseSegment[] {
  return segments.flatMap((segment) => {
    const pieces = splitText(segment.text, maxLength)
    return pieces.map((text, index) => ({ ...segment, ...timesOf(pieces, index, segment), text, words: wordsOf(pieces, index, segment) }))
  })
}

function splitText(text: string, maxLength: number): string[] {
  const pieces: string[] = []
  for (const word of text.split(/(?= )/)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + word.length <= maxLength) pieces[pieces.length - 1] = last + word
    else pieces.push(word)
  }
  return pieces
}

/** From the words where they are known, else by the share of the text. */
function timesOf(pieces: readonly string[], index: number, segment: VerboseSegment): { start: number; end: number } {
  const words = wordsOf(pieces, index, segment)
  const first = words[0]
  const last = words.at(-1)
  if (first !== undefined && last !== undefined) return { start: first.start, end: last.end }
  const length = (count: number) => pieces.slice(0, count).join('').length
  const at = (count: number) => segment.start + ((segment.end - segment.start) * length(count)) / Math.max(1, segment.text.length)
  return { start: at(index), end: at(index + 1) }
}

function wordsOf(pieces: readonly string[], index: number, { words = [] }: VerboseSegment) {
  const count = (piece: string) => piece.trim().split(/\s+/).length
  const before = pieces.slice(0, index).reduce((sum, piece) => sum + count(piece), 0)
  return words.slice(before, before + count(pieces[index] ?? ''))
}
