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
  type SegmentPart,
} from '@sidelinja/jobs-kit'
import { type CheckedStances, checkStances, type Found } from './check-stances.ts'
import { combineStances, joinEvidence, quotesOf } from './combine-stances.ts'
import type { ProfileStance, Result } from './job.ts'
import { PROMPT_VERSION, SETTLE, STANCES, type StancesReply, stancesReply } from './questions.ts'
import { splitPages } from './read-programme.ts'

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
      const only = new Set(part.segments.map(({ segment }) => segment))
      return [checkStances(await ask(`stances-${name}`, STANCES, data), { pages, only, resolve })]
    },
  })

  const shown = statements.map((statement): Shown => ({ statement, all: foundOf(reply, statement) }))
  const settled = await settle(
    ask,
    shown.filter(({ all }) => all.length > 0 && combineStances(all) === null),
    pages,
  )
  const stances = shown.map(({ statement, all }) => {
    const found = all.length === 0 ? undefined : (combineStances(all) ?? foundOf(settled, statement)[0])
    return toStance(statement, found, found ? [] : joinEvidence(all))
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

/** Asks once more about what different pages say differently; only what was quoted before may be quoted. */
async function settle(ask: Ask, open: readonly Shown[], pages: readonly string[]): Promise<CheckedStances[]> {
  const settled: CheckedStances[] = []
  for (const [index, group] of inGroups(open, settledAtOnce).entries()) {
    const { list, resolve } = numbered(group.map(({ statement }) => statement))
    const data = { statements: list.map((statement, at) => ({ ...statement, said: quotesOf(group[at]?.all ?? []) })) }
    const evidence = group.flatMap(({ all }) => quotesOf(all))
    const quoted = pages.map((_, at) => evidence.flatMap(({ page, quote }) => (page === at + 1 ? [quote] : [])).join('\n'))
    settled.push(checkStances(await ask(`settle-${index + 1}`, SETTLE, data), { pages: quoted, resolve }))
  }
  return settled
}

function numbered(statements: readonly Statement[]) {
  return numberCandidates(statements, ({ text }) => ({ text: text.slice(0, mostStatement).toWellFormed() }), 'S')
}

function foundOf(checked: readonly CheckedStances[], { id }: Statement): Found[] {
  return checked.flatMap(({ found }) => found.get(id) ?? [])
}

/** Of one that stays open the quotes stay, for whoever decides. */
function toStance({ id, text }: Statement, found: Found | undefined, open: Found['evidence']): ProfileStance {
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
