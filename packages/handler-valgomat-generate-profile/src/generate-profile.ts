import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  type Gateway,
  halvePart,
  type JsonObject,
  languageRule,
  numberCandidates,
  quoteOccurs,
  type SegmentPart,
} from '@sidelinja/jobs-kit'
import { type CheckedStances, checkStances, type Found, type Programme } from './check-stances.ts'
import { combineStances, joinEvidence, quotesOf } from './combine-stances.ts'
import type { ProfileStance, Result } from './job.ts'
import { PROMPT_VERSION, SETTLE, STANCES, type StancesReply, stancesReply } from './questions.ts'
import { splitPages } from './read-programme.ts'
import { sentencesOf } from './widen-quote.ts'

const statementsAtOnce = 20
const settledAtOnce = 5
const maxTokens = 6_000
const mostStatement = 1_000

/** What is asked about. */
export interface Statement {
  readonly id: string
  readonly text: string
}

/** What there is to make a profile of. */
export interface Material {
  readonly pages: readonly string[]
  readonly statements: readonly Statement[]
  readonly language: string | null
  readonly settings: CollectionSettings
}

/** Where the party stands on each statement, in their order, and what there is to tell of it. */
export interface Generated {
  readonly stances: ProfileStance[]
  readonly told: Pick<Result, 'stances' | 'undecided' | 'parts' | 'dropped' | 'cut'>
}

type Ask = (name: string, instructions: string, data: JsonObject) => Promise<StancesReply>
type Asked = { part: SegmentPart; statements: readonly Statement[] }
type Shown = { statement: Statement; all: readonly Found[] }

/** Asks about all pages for all statements, some of each at a time; what different pages say differently is settled by another question, or stays open. */
export async function generateProfile(gateway: Gateway, context: HandlerContext<unknown>, material: Material): Promise<Generated> {
  const { pages, statements, language, settings } = material
  const { cut, onCut } = collectCuts()
  const programme = { pages, sentencesOn: rememberSentences(pages) }
  const ask: Ask = (name, instructions, data) =>
    gateway.ask(context, settings, {
      ...{ name, model: 'reasoning', reply: stancesReply, promptVersion: PROMPT_VERSION, maxTokens, temperature: 0, onCut, data },
      instructions: `${instructions}\n${languageRule(language)}`,
    })
  const { reply, parts } = await askAndMerge<Asked, CheckedStances[]>(context, {
    parts: splitPages(pages).flatMap((part) => inGroups(statements, statementsAtOnce).map((group) => ({ part, statements: group }))),
    halve: ({ part, statements: group }) => halvePart(part).map((half) => ({ part: half, statements: group })),
    // Nothing of them is put to the model again.
    ...{ budgetTokens: 1, sizeOf: () => '', merge: (replies: readonly CheckedStances[][]) => replies.flat() },
    ask: async ({ part, statements: group }, name) => {
      const { list, resolve } = numbered(group)
      const data = { statements: list, pages: part.segments.map(({ segment, text }) => ({ page: segment, text })) }
      const shownPages = new Set(part.segments.map(({ segment }) => segment))
      const mayQuote: Programme['mayQuote'] = (_, { page }) => shownPages.has(page)
      return [checkStances(await ask(`stances-${name}`, STANCES, data), { ...programme, mayQuote, resolve })]
    },
  })

  const shown = statements.map((statement): Shown => ({ statement, all: foundOf(reply, statement) }))
  const settled = await settle(
    ask,
    shown.filter(({ all }) => all.length > 0 && combineStances(all) === null),
    programme,
  )
  const stances = shown.map(({ statement, all }) => {
    const found = combineStances(all) ?? combineStances(foundOf(settled, statement))
    return toStance(statement, found, joinEvidence(all))
  })
  return {
    stances,
    told: {
      stances: stances.filter(({ stance }) => stance !== null).length,
      undecided: stances.filter(({ stance, evidence }) => stance === null && evidence.length > 0).length,
      ...{ parts, cut, dropped: sum([...reply, ...settled].map(({ dropped }) => dropped)) },
    },
  }
}

/** Asks once more about what different pages say differently; of each statement only what was quoted for it before may be quoted. */
async function settle(ask: Ask, open: readonly Shown[], programme: Pick<Programme, 'pages' | 'sentencesOn'>): Promise<CheckedStances[]> {
  const settled: CheckedStances[] = []
  for (const [index, group] of inGroups(open, settledAtOnce).entries()) {
    const { list, resolve } = numbered(group.map(({ statement }) => statement))
    const data = { statements: list.map((statement, at) => ({ ...statement, said: quotesOf(group[at]?.all ?? []) })) }
    const quoted = new Map(group.map(({ statement, all }) => [statement.id, quotesOf(all)]))
    // Within one of the quotes: two of them together are a sentence that nobody wrote.
    const mayQuote: Programme['mayQuote'] = (id, { page, quote }) =>
      quoted.get(id)?.some((said) => said.page === page && quoteOccurs(quote, said.quote)) ?? false
    settled.push(checkStances(await ask(`settle-${index + 1}`, SETTLE, data), { ...programme, mayQuote, resolve }))
  }
  return settled
}

/** A page may be the whole of a long programme, and is asked for by each quote. */
function rememberSentences(pages: readonly string[]): Programme['sentencesOn'] {
  const known = new Map<number, readonly string[]>()
  return (page) => {
    const sentences = known.get(page) ?? sentencesOf(pages[page - 1] ?? '')
    known.set(page, sentences)
    return sentences
  }
}

function numbered(statements: readonly Statement[]) {
  return numberCandidates(statements, ({ text }) => ({ text: text.slice(0, mostStatement).toWellFormed() }), 'S')
}

function foundOf(checked: readonly CheckedStances[], { id }: Statement): Found[] {
  return checked.flatMap(({ found }) => found.get(id) ?? [])
}

/** Of one that stays open the quotes stay, for whoever decides. */
function toStance({ id, text }: Statement, found: Found | null, open: Found['evidence']): ProfileStance {
  const said = found ?? { stance: null, confidence: null, evidence: open, reasoning: null }
  return { statementNodeId: id, statement: text, ...said }
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

function sum(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const [kind, count] of all.flatMap((each) => Object.entries(each))) total[kind] = (total[kind] ?? 0) + count
  return total
}
