import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  type Gateway,
  halvePart,
  isBlank,
  keepOnlyLinksOf,
  languageRule,
  norwegianForm,
  quoteOccurs,
  type SegmentPart,
  splitSegments,
  type WebPage,
} from '@sidelinja/jobs-kit'
import type { Clip, Result } from './job.ts'
import { pageSegments } from './page-segments.ts'
import { MERGE, type PageReply, PROMPT_VERSION, pageReply, READ } from './questions.ts'

/** Leaves room for instructions and reply in a window of 16,000 tokens. */
const budgetTokens = 8_000

/** What a model made of a page, as far as the page bears it out. */
export interface SummedUp {
  /** '' where nothing is left of it. */
  readonly title: string
  readonly clip: Pick<Clip, 'summary' | 'keyClaims' | 'sourceType' | 'model' | 'promptVersion'>
  readonly told: Pick<Result, 'keyClaims' | 'parts' | 'dropped' | 'cut'>
}

/** What there is to say of a page that no model was asked about. */
export const notSummedUp: SummedUp = {
  title: '',
  clip: { summary: '', keyClaims: [], sourceType: null, model: null, promptVersion: null },
  told: { keyClaims: 0, parts: 0, dropped: { claims: 0 }, cut: {} },
}

/** Asks what a page says, in parts where it is long, and then about the parts together; checks the end of it against the page. */
export async function sumUp(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { page, settings }: { page: WebPage; settings: CollectionSettings },
): Promise<SummedUp> {
  const { text, url, title, language } = page
  const rule = languageRule(norwegianForm(text) ?? language)
  const known = { site: new URL(url).hostname, ...(title !== null && { title }) }
  const { cut, onCut } = collectCuts()
  const question = { model: 'routine', reply: pageReply, promptVersion: PROMPT_VERSION, onCut } as const

  const { reply, parts } = await askAndMerge<SegmentPart, PageReply>(context, {
    ...{ parts: splitSegments(pageSegments(text), { budgetTokens }), halve: halvePart, budgetTokens },
    ask: ({ segments }, name) => {
      const data = { ...known, segments: [...segments] }
      return gateway.ask(context, settings, { ...question, name: `page-${name}`, instructions: `${READ}\n${rule}`, data })
    },
    merge: (replies, name) => {
      const data = { ...known, parts: [...replies] }
      return gateway.ask(context, settings, { ...question, name, instructions: `${MERGE}\n${rule}`, data })
    },
  })

  const plain = (said: string) => keepOnlyLinksOf(said, text).trim()
  const keyClaims = reply.key_claims
    .filter(({ quote }) => quoteOccurs(quote, text))
    .map(({ claim, quote }) => ({ claim: plain(claim), quote: plain(quote) }))
    .filter(({ claim, quote }) => !isBlank(claim) && !isBlank(quote))
  const named = plain(reply.title).replace(/\s+/g, ' ')
  return {
    title: isBlank(named) ? '' : named,
    clip: {
      ...{ summary: plain(reply.summary), keyClaims, sourceType: reply.source_type },
      ...{ model: settings.models.routine, promptVersion: PROMPT_VERSION },
    },
    told: { keyClaims: keyClaims.length, parts, dropped: { claims: reply.key_claims.length - keyClaims.length }, cut },
  }
}
