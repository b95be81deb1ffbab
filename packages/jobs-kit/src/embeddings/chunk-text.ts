import { estimateTokens } from '../ai-text/parts/estimate-tokens.ts'
import { splitText } from '../ai-text/parts/split-text.ts'
import type { Chunk } from './chunk.ts'
import { showsNothing } from './shows-nothing.ts'

/** Of a chunk what the one before ended with: a sentence at the border is found from both sides. */
const OVERLAP = 1 / 8
/** A heading with less below it goes with what follows: it says too little alone. */
const LEAST = 1 / 5
const HEADING = /^(?=#{1,6}[ \t]+\S)/m
const BORDERS = [/[.!?…]["»”’)]*\s+/g, /\s+/g]

/**
 * A written text in chunks of at most about so many estimated tokens: at headings first, then at paragraphs, sentences, words, and only else within one. Chunks under one heading overlap a
 * little. Since every heading begins a chunk, a change below one leaves the chunks below the others, and their vectors, as they are.
 */
export function chunkText(text: string, chunkTokens: number): Chunk[] {
  return sectionsOf(text, chunkTokens * LEAST).flatMap((section) => {
    const parts = splitText(section, Math.max(1, Math.floor(chunkTokens * (1 - OVERLAP))))
    const texts = parts.map((part, index) => `${index === 0 ? '' : endOf(parts[index - 1] ?? '')}${part}`.trim())
    return texts.filter((each) => !showsNothing(each)).map((each) => ({ text: each, startMs: null, endMs: null }))
  })
}

function sectionsOf(text: string, leastTokens: number): string[] {
  const sections: string[] = []
  let pending = ''
  for (const section of text.split(HEADING)) {
    pending += section
    if (estimateTokens(pending) < leastTokens) continue
    sections.push(pending)
    pending = ''
  }
  if (pending.trim() === '') return sections
  // What is left over at the end has nothing after it to go with.
  const last = sections.pop() ?? ''
  return [...sections, last + pending]
}

/** The end of a part, from the beginning of a sentence or at least of a word. */
function endOf(part: string): string {
  const end = part.slice(Math.floor(part.length * (1 - OVERLAP)))
  for (const border of BORDERS) {
    const first = Array.from(end.matchAll(border)).find(({ index, 0: sign }) => index + sign.length < end.length)
    if (first) return end.slice(first.index + first[0].length)
  }
  return ''
}
