import { createReplyCheck, quoteStandsAt, type Segment, saidNames } from '@sidelinja/jobs-kit'
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
  const texts = segments.map(({ text }) => text)
  const whole = texts.join(' ')
  const { dropped, keep, plain, told } = createReplyCheck(whole)
  const isNamed = saidNames(whole)
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
        const named = isNamed(name) ? told(name) : undefined
        return startMs === undefined || named === undefined ? undefined : { name: named, role: told(role ?? '') ?? null, startMs }
      }),
      quotes: keep('quotes', reply.quotes, ({ segment, text }) => {
        const at = segments[segment - 1]
        const said = quoteStandsAt(text, texts, segment - 1) ? told(text) : undefined
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
