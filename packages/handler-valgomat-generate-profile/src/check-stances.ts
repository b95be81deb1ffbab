import { createReplyCheck } from '@sidelinja/jobs-kit'
import type { ProfileStance, Stance } from './job.ts'
import type { StancesReply } from './questions.ts'
import { widenQuote } from './widen-quote.ts'

/** Fewer words than that stand anywhere. */
const leastWords = 3

/** A stance that is borne out. */
export interface Found {
  readonly stance: Stance
  readonly confidence: number
  /** Never empty. */
  readonly evidence: ProfileStance['evidence']
  readonly reasoning: string | null
}

/** What a reply is checked against. */
export interface Programme {
  /** Its text, by page. */
  readonly pages: readonly string[]
  /** The sentences of one, counted from 1. */
  readonly sentencesOn: (page: number) => readonly string[]
  /** Whether a statement may be borne out by that quote, which stands on its page in any case. */
  readonly mayQuote: (statementId: string, said: ProfileStance['evidence'][number]) => boolean
  /** The statement that a ref names; undefined for one that was not asked about. */
  readonly resolve: (ref: unknown) => { readonly id: string } | undefined
}

/** Stances by statement, several where the reply says several things, and what was left out, by kind. */
export interface CheckedStances {
  readonly found: ReadonlyMap<string, readonly Found[]>
  readonly dropped: Readonly<Record<string, number>>
}

/** Takes nothing on trust: a stance on what was not asked about, or without a quote that stands on the page it names, is none. */
export function checkStances({ stances }: StancesReply, { pages, sentencesOn, mayQuote, resolve }: Programme): CheckedStances {
  const check = createReplyCheck(pages.join('\n'))
  const found = new Map<string, Found[]>()
  for (const { statement_ref, stance, confidence, evidence, reasoning } of stances) {
    const statement = resolve(statement_ref)
    if (stance === null && statement) continue
    const kept = check.keep('evidence', statement ? evidence : [], ({ page, quote }) => {
      if (statement === undefined || wordsOf(quote) < leastWords || !mayQuote(statement.id, { page, quote })) return undefined
      const whole = widenQuote(quote, sentencesOn(page))
      return whole.length === 0 ? undefined : whole.map((sentences) => ({ page, quote: sentences }))
    })
    if (statement === undefined || stance === null || kept.length === 0) check.drop('stances')
    else {
      const said = {
        stance: stance as Stance,
        confidence,
        evidence: uniqueQuotes(kept.flat()),
        reasoning: check.told(reasoning ?? '') ?? null,
      }
      found.set(statement.id, [...(found.get(statement.id) ?? []), said])
    }
  }
  return { found, dropped: check.dropped }
}

function uniqueQuotes(evidence: Found['evidence']): Found['evidence'] {
  return [...new Map(evidence.map((said) => [`${said.page} ${said.quote}`, said])).values()]
}

function wordsOf(quote: string): number {
  return quote.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}
