/** A text in paragraphs: what is shown at once, and what is folded. */
export interface Prose {
  first: readonly string[]
  rest: readonly string[]
}

/** What is a little longer than what is shown at once is shown whole. */
const slack = 1.5

/** Splits a text after the paragraph, or else the sentence or word, with which about so many characters are full. Pure. */
export function splitProse(text: string, about: number): Prose {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
  if (text.length <= about * slack) return { first: paragraphs, rest: [] }
  const first: string[] = []
  let left = about
  for (const [index, paragraph] of paragraphs.entries()) {
    if (paragraph.length > left * slack) {
      if (first.length > 0 && left < about / 2) return { first, rest: paragraphs.slice(index) }
      const end = endOfSentence(paragraph, left)
      const rest = [paragraph.slice(end).trim(), ...paragraphs.slice(index + 1)].filter((part) => part !== '')
      return { first: [...first, paragraph.slice(0, end).trim()], rest }
    }
    first.push(paragraph)
    left -= paragraph.length
    if (left <= 0) return { first, rest: paragraphs.slice(index + 1) }
  }
  return { first, rest: [] }
}

function endOfSentence(text: string, about: number): number {
  const sentence = Math.max(...['. ', '! ', '? ', '\n'].map((end) => text.lastIndexOf(end, about)))
  if (sentence > about / 3) return sentence + 1
  const word = text.lastIndexOf(' ', about)
  return word > 0 ? word : about
}
