import { createReplyCheck, quoteOccurs } from '@sidelinja/jobs-kit'
import type { ProfileStance, Stance } from './job.ts'
import type { StancesReply } from './questions.ts'

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
  /** Only what stands on these counts; default: all. */
  readonly only?: ReadonlySet<number> | undefined
  /** The statement that a ref names; undefined for one that was not asked about. */
  readonly resolve: (ref: unknown) => { readonly id: string } | undefined
}

/** Stances by statement, and what was left out, by kind. */
export interface CheckedStances {
  readonly found: ReadonlyMap<string, Found>
  readonly dropped: Readonly<Record<string, number>>
}

/** Takes nothing on trust: a stance on what was not asked about, or without a quote that stands on the page it names, is none. */
export function checkStances({ stances }: StancesReply, { pages, only, resolve }: Programme): CheckedStances {
  const check = createReplyCheck(pages.join('\n'))
  const found = new Map<string, Found>()
  for (const { statement_ref, stance, confidence, evidence, reasoning } of stances) {
    const statement = resolve(statement_ref)
    if (stance === null && statement) continue
    const kept = check.keep('evidence', statement ? evidence : [], ({ page, quote }) => {
      const isAsked = only === undefined || only.has(page)
      const said = isAsked && wordsOf(quote) >= leastWords && quoteOccurs(quote, pages[page - 1] ?? '') ? check.told(quote) : undefined
      return said === undefined ? undefined : { page, quote: said }
    })
    if (statement === undefined || stance === null || kept.length === 0 || found.has(statement.id)) check.drop('stances')
    else found.set(statement.id, { stance: stance as Stance, confidence, evidence: kept, reasoning: check.told(reasoning ?? '') ?? null })
  }
  return { found, dropped: check.dropped }
}

function wordsOf(quote: string): number {
  return quote.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}
