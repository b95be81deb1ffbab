import { endOfBudget, estimateTokens } from './estimate-tokens.ts'

/** The best place to part a text, and the next best. */
const BORDERS = [/\n[ \t\r]*\n\s*/g, /\n\s*/g, /[.!?…]["»”’)]*\s+/g, /\s+/g]

/**
 * A text in parts of at most so many tokens, parted after a paragraph, else a line, a sentence, a word, and only else within one. Together they are
 * the text, to the letter.
 */
export function splitText(text: string, budgetTokens: number): string[] {
  const parts: string[] = []
  let from = 0
  while (from < text.length) {
    const end = endOfBudget(text, from, Math.max(1, budgetTokens))
    const to = end === text.length ? end : from + lastBorder(text.slice(from, end))
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

/** A text in two or three of about half its size, for a model that found it too long; one that cannot be parted is the only one in the list. */
export function splitTextInHalves(text: string): string[] {
  return splitText(text, Math.ceil(estimateTokens(text) / 2))
}

/** The end of the last border in the latter half of a part; of a part without any, its own end. */
function lastBorder(part: string): number {
  const half = Math.floor(part.length / 2)
  const latter = part.slice(half)
  for (const border of BORDERS) {
    const last = Array.from(latter.matchAll(border)).at(-1)
    if (last) return half + last.index + last[0].length
  }
  return part.length
}
