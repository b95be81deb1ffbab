import { isBlank, isQuote, keepOnlyLinksOf, type NumberedCandidates, quoteOccurs } from '@sidelinja/jobs-kit'
import type { EdgeSuggestion } from '@sidelinja/jobs-kit/storage'
import type { Candidate } from './find-candidates.ts'
import type { NewTopic } from './job.ts'
import type { EdgesReply } from './questions.ts'

const leastConfidence = 0.5
const mostEdges = 10
const mostTopics = 5

/** What is left of replies. */
export interface Checked {
  readonly edges: readonly EdgeSuggestion[]
  readonly newTopics: readonly NewTopic[]
  readonly dropped: number
}

/** What the source is, and what there was to choose from. */
export interface Source {
  readonly text: string
  readonly candidates: NumberedCandidates<Candidate>
  /** Names that a new topic may not have: the collection has them. */
  readonly known: readonly string[]
}

/** Keeps of a model's replies what the text bears out: edges to candidates, sure enough, with a quote that stands in the text; each target and relation once, the surest first. */
export function checkReplies(replies: readonly EdgesReply[], { text, candidates, known }: Source): Checked {
  const given = replies.flatMap(({ edges }) => edges)
  const borneOut = given.flatMap(({ candidate, relation, confidence, evidence }): EdgeSuggestion[] => {
    const target = candidates.resolve(candidate)
    if (target === undefined || !(confidence >= leastConfidence) || !bearsOut(evidence, text)) return []
    return [{ targetId: target.id, relation, confidence: Math.min(1, confidence), evidence: evidence.trim() }]
  })
  const surest = borneOut.toSorted((a, b) => b.confidence - a.confidence)
  const edges = firstOfEach(surest, ({ targetId, relation }) => `${targetId} ${relation}`).slice(0, mostEdges)
  const offered = replies.flatMap(({ new_topics }) => new_topics)
  const newTopics = checkTopics(offered, { text, known })
  return { edges, newTopics, dropped: given.length - edges.length + offered.length - newTopics.length }
}

function checkTopics(offered: EdgesReply['new_topics'], { text, known }: Pick<Source, 'text' | 'known'>): NewTopic[] {
  const taken = new Set(known.map(fold))
  const plain = (said: string) => keepOnlyLinksOf(said, text).replace(/\s+/g, ' ').trim()
  const borneOut = offered
    .filter(({ evidence }) => bearsOut(evidence, text))
    .map(({ name, description, evidence }) => ({ name: plain(name), description: plain(description), evidence: evidence.trim() }))
    .filter(({ name }) => !isBlank(name) && !taken.has(fold(name)))
  return firstOfEach(borneOut, ({ name }) => fold(name)).slice(0, mostTopics)
}

/** A word or two stand in any text. */
function bearsOut(evidence: string, text: string): boolean {
  return isQuote(evidence) && quoteOccurs(evidence, text)
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).entries()].toReversed().map(([, item]) => item)
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().trim()
}
