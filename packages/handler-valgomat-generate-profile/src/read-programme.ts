import { PermanentError } from '@sidelinja/jobs-core'
import { type NumberedSegment, type SegmentPart, splitSegments } from '@sidelinja/jobs-kit'

const mostCharacters = 3_000_000
/** Leaves room for instructions, statements and reply in a window of 16,000 tokens. */
const budgetTokens = 5_000

/** The pages of a programme, as programs that read PDF files print them: a form feed ends a page. Page 1 is the first one. */
export function readPages(nodeId: string, content: string): string[] {
  if (content.length <= mostCharacters) {
    return content
      .trimEnd()
      .split('\f')
      .map((page) => page.trim())
  }
  throw new PermanentError(
    'TEXT_TOO_LONG',
    `Expected the programme in node ${nodeId} to have at most ${mostCharacters} characters, got ${content.length}. Keep it in several nodes, and enqueue a job for each.`,
  )
}

/** Pages in parts that fit into one question each; a page that is too long stands in several, each time with a piece of its text. Blank pages keep their number and are asked nothing about. */
export function splitPages(pages: readonly string[]): SegmentPart[] {
  const parts = splitSegments(
    pages.map((text) => ({ text })),
    { budgetTokens, overlapSegments: 0 },
  )
  return parts.map((part) => ({ ...part, segments: part.segments.filter(hasText) })).filter(({ segments }) => segments.length > 0)
}

function hasText({ text }: NumberedSegment): boolean {
  return text.trim() !== ''
}
