import { encodeData } from '../messages/encode-data.ts'
import { estimateTokens } from './estimate-tokens.ts'
import type { NumberedSegment, SegmentPart } from './segment-part.ts'
import { splitText } from './split-text.ts'

const LEAST_BUDGET_TOKENS = 200
const MOST_SPEAKER_CHARACTERS = 100
/** What is repeated may take a quarter of a part. */
const MOST_OVERLAP = 1 / 4

/** How a transcript is parted. */
export interface SplitOptions {
  /** What a part may be at most, in estimated tokens of its JSON; at least 200. */
  readonly budgetTokens: number
  /** How many segments of the part before each part begins with. Default: 2. */
  readonly overlapSegments?: number
}

/**
 * A transcript in parts that fit into one question each, parted between segments, each with its number. Nothing is left out: the text of a segment that fits into
 * no part is parted too, under its number.
 */
export function splitSegments(
  segments: readonly { readonly text: string; readonly speaker?: string | null }[],
  { budgetTokens, overlapSegments = 2 }: SplitOptions,
): SegmentPart[] {
  const numbered = segments.map(({ text, speaker }, index): NumberedSegment => {
    const said = { segment: index + 1, text }
    return speaker ? { ...said, speaker: speaker.slice(0, MOST_SPEAKER_CHARACTERS) } : said
  })
  return pack(numbered, budgetTokens, overlapSegments)
}

/**
 * A part in two or more of half its size, for a model that found it too long; without what it repeated. One that cannot be parted is the only one in
 * the list: then asking again is of no use.
 */
export function halvePart(part: SegmentPart): SegmentPart[] {
  const segments = part.segments.slice(part.overlap)
  const tokens = segments.reduce((total, segment) => total + tokensOf(segment), 0)
  return pack(segments, Math.ceil(tokens / 2), 0)
}

interface Sized {
  readonly segment: NumberedSegment
  readonly tokens: number
}

interface OpenPart {
  readonly pieces: Sized[]
  readonly overlap: number
  tokens: number
}

function pack(segments: readonly NumberedSegment[], budgetTokens: number, overlapSegments: number): SegmentPart[] {
  const budget = Math.max(LEAST_BUDGET_TOKENS, budgetTokens)
  const parts: OpenPart[] = []
  for (const piece of segments.flatMap((segment) => pieces(segment, budget))) {
    const last = parts.at(-1)
    if (last && last.tokens + piece.tokens <= budget) {
      last.pieces.push(piece)
      last.tokens += piece.tokens
    } else {
      const repeated = repeat(last?.pieces ?? [], overlapSegments, Math.min(budget * MOST_OVERLAP, budget - piece.tokens))
      parts.push({ pieces: [...repeated, piece], overlap: repeated.length, tokens: sum(repeated) + piece.tokens })
    }
  }
  return parts.map(({ pieces: all, overlap, tokens }) => ({ segments: all.map(({ segment }) => segment), overlap, tokens }))
}

/** The last of a part that are no more than so many, nor more than so many tokens. */
function repeat(all: readonly Sized[], most: number, budgetTokens: number): Sized[] {
  let from = all.length
  let tokens = 0
  while (from > 0 && all.length - from < most) {
    tokens += all[from - 1]?.tokens ?? 0
    if (tokens > budgetTokens) break
    from--
  }
  return all.slice(from)
}

function pieces(segment: NumberedSegment, budget: number): Sized[] {
  const tokens = tokensOf(segment)
  if (tokens <= budget) return [{ segment, tokens }]
  // Signs that JSON writes as several weigh more there than in the text.
  const share = Math.max(1, Math.floor((estimateTokens(segment.text) * budget * 0.9) / tokens))
  const texts = splitText(segment.text, share)
  return texts.length < 2 ? [{ segment, tokens }] : texts.flatMap((text) => pieces({ ...segment, text }, budget))
}

/** With the comma after it. */
function tokensOf(segment: NumberedSegment): number {
  return estimateTokens(encodeData(segment)) + 1
}

function sum(all: readonly Sized[]): number {
  return all.reduce((total, { tokens }) => total + tokens, 0)
}
