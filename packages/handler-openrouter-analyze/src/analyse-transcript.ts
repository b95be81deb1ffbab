import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  type Gateway,
  halvePart,
  type JsonObject,
  languageOfSegments,
  languageRule,
  numberCandidates,
  type Segment,
  splitSegments,
} from '@sidelinja/jobs-kit'
import { checkAnalysis } from './check-analysis.ts'
import type { Result } from './job.ts'
import { ANALYSE, type AnalysisReply, analysisReply, MERGE, PROMPT_VERSION } from './questions.ts'

/** Leaves room for instructions, candidates and reply in a window of 16,000 tokens. */
const budgetTokens = 8_000

/** What there is to analyse. */
export interface Material {
  readonly segments: readonly Segment[]
  readonly topics: readonly { id: string; title: string }[]
  readonly settings: CollectionSettings
}

/** Asks about the transcript, in parts where it is long, and then about the parts together; checks the end of it against the source. */
export async function analyseTranscript(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { segments, topics, settings }: Material,
): Promise<Result> {
  const language = languageOfSegments(segments, settings)
  const candidates = numberCandidates(topics, ({ title }) => ({ name: title }))
  const known = { candidates: candidates.list, names: settings.names }
  const question = { model: 'reasoning', reply: analysisReply, promptVersion: PROMPT_VERSION } as const
  const rule = languageRule(language)
  const { cut, onCut } = collectCuts()

  const ask = (name: string, instructions: string, data: JsonObject) =>
    gateway.ask(context, settings, { ...question, name, onCut, instructions: `${instructions}\n${rule}`, data: { ...data, ...known } })

  const { reply, parts } = await askAndMerge(context, {
    ...{ parts: splitSegments(segments, { budgetTokens }), halve: halvePart, budgetTokens },
    ask: (part, name): Promise<AnalysisReply> => ask(`analyse-${name}`, ANALYSE, { segments: part.segments }),
    merge: (analyses, name) => ask(name, MERGE, { analyses: [...analyses] }),
  })
  const { analysis, dropped } = checkAnalysis(reply, { segments, language, resolveTopic: candidates.resolve })
  return { analysis, note: null, segments: segments.length, parts, dropped, cut }
}
