import { isBlank, keepOnlyLinksOf, quoteOccurs, type Segment } from '@sidelinja/jobs-kit'
import type { Analysis } from './job.ts'
import type { AnalysisReply } from './questions.ts'

/** What a reply is checked against. */
export interface Source {
  /** The model numbers them from 1. */
  readonly segments: readonly Segment[]
  /** The topic that a ref names; undefined for one that was never given. */
  readonly resolveTopic: (ref: unknown) => { id: string; title: string } | undefined
  readonly language: string
}

/** An analysis that the transcript bears out, and what was left out of it, by kind. */
export interface CheckedAnalysis {
  readonly analysis: Analysis
  readonly dropped: Record<string, number>
}

/**
 * Takes nothing on trust: segments that do not exist, refs that were not given, quotes and names that nobody said, and what is empty, are left out and counted;
 * links that nobody said lose their address. A title of which nothing is left becomes the beginning of what is said.
 */
export function checkAnalysis(reply: AnalysisReply, source: Source): CheckedAnalysis {
  const { segments } = source
  const dropped: Record<string, number> = {}
  const keep = <Item, Kept>(kind: string, items: readonly Item[], check: (item: Item) => Kept | undefined): Kept[] =>
    items.flatMap((item) => {
      const kept = check(item)
      if (kept === undefined) dropped[kind] = (dropped[kind] ?? 0) + 1
      return kept === undefined ? [] : [kept]
    })
  const whole = segments.map(({ text }) => text).join(' ')
  const plain = (text: string) => keepOnlyLinksOf(text, whole).trim()
  /** Undefined where it says nothing. */
  const told = (text: string) => (isBlank(plain(text)) ? undefined : plain(text))
  const spoken = new Set(comparable(whole).match(WORD))
  const { title, description, summary } = reply
  return {
    analysis: {
      ...{ title: told(title) ?? beginningOf(whole), description: plain(description), summary: plain(summary), language: source.language },
      chapters: inOrder(
        keep('chapters', reply.chapters, ({ start_segment, title }) => {
          const startMs = segments[start_segment - 1]?.startMs
          const named = told(title)
          return startMs === undefined || named === undefined ? undefined : { startMs, title: named }
        }),
      ),
      topics: keep('topics', reply.topics, ({ ref, name, confidence }) => {
        const named = told(name)
        if (ref === null) return named === undefined ? undefined : { nodeId: null, name: named, confidence }
        const topic = source.resolveTopic(ref)
        return topic && { nodeId: topic.id, name: topic.title, confidence }
      }),
      people: keep('people', reply.people, ({ name, role, evidence }) => {
        const startMs = segments[evidence - 1]?.startMs
        const named = isNamed(name, spoken) ? told(name) : undefined
        return startMs === undefined || named === undefined ? undefined : { name: named, role: told(role ?? '') ?? null, startMs }
      }),
      quotes: keep('quotes', reply.quotes, ({ segment, text }) => {
        const at = segments[segment - 1]
        const said = at !== undefined && quoteOccurs(text, around(segments, segment - 1)) ? told(text) : undefined
        return at === undefined || said === undefined ? undefined : { startMs: at.startMs, text: said }
      }),
    },
    dropped,
  }
}

function beginningOf(whole: string): string {
  return whole.trimStart().slice(0, 80).trim().toWellFormed()
}

/** Chapters by time, one for each, the first where the recording begins. */
function inOrder(chapters: { startMs: number; title: string }[]): { startMs: number; title: string }[] {
  const sorted = chapters.toSorted((a, b) => a.startMs - b.startMs)
  const apart = sorted.filter(({ startMs }, index) => index === 0 || startMs > (sorted[index - 1]?.startMs ?? 0))
  return apart.map((chapter, index) => (index === 0 ? { ...chapter, startMs: 0 } : chapter))
}

/** A recogniser may cut a sentence in two. */
function around(segments: readonly Segment[], index: number): string {
  return segments
    .slice(Math.max(0, index - 1), index + 2)
    .map(({ text }) => text)
    .join(' ')
}

/**
 * One word of a name is enough: transcripts have first names, and spell last names as they sound. One with a capital, since a name has small words that any
 * text has; where it has none, all of it.
 */
function isNamed(name: string, spoken: ReadonlySet<string>): boolean {
  const words = (name.match(WORD) ?? []).filter((word) => word.length > 1)
  const isSpoken = (word: string) => spoken.has(comparable(word))
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word))
  return capitals.length > 0 ? capitals.some(isSpoken) : words.length > 0 && words.every(isSpoken)
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu

function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
