import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askInParts,
  type CollectionSettings,
  estimateTokens,
  type Gateway,
  halvePart,
  languageRule,
  norwegianForm,
  numberCandidates,
  planReduce,
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
  const { progress } = context
  const language = languageOf(segments, settings)
  const candidates = numberCandidates(topics, ({ title }) => ({ name: title }))
  const known = { candidates: candidates.list, names: settings.names }
  const question = { model: 'reasoning', reply: analysisReply, promptVersion: PROMPT_VERSION } as const
  const rule = languageRule(language)

  const parts = splitSegments(segments, { budgetTokens })
  const replies = await askInParts({
    ...{ parts, halve: halvePart },
    ask: (part, name) => {
      progress(Number.parseInt(name, 10) / (parts.length + 2), `Analyserer del ${name} av ${parts.length}`)
      const data = { segments: part.segments, ...known }
      return gateway.ask(context, settings, { ...question, name: `analyse-${name}`, instructions: `${ANALYSE}\n${rule}`, data })
    },
  })
  progress((parts.length + 1) / (parts.length + 2), 'Samler og kontrollerer')
  const reply = await merge(
    replies.map((part) => part.reply),
    1,
  )
  const { analysis, dropped } = checkAnalysis(reply, { segments, language, resolveTopic: candidates.resolve })
  return { analysis, note: null, parts: replies.length, dropped }

  /** Round after round, as many at once as fit, until one is left. */
  async function merge(analyses: readonly AnalysisReply[], round: number): Promise<AnalysisReply> {
    const [only] = analyses
    if (only !== undefined && analyses.length === 1) return only
    const groups = planReduce(
      analyses.map((analysis) => estimateTokens(JSON.stringify(analysis))),
      budgetTokens,
    )
    const merged: AnalysisReply[] = []
    for (const [index, group] of groups.entries()) {
      const data = { analyses: group.flatMap((at) => analyses[at] ?? []), ...known }
      const name = `merge-${round}-${index + 1}`
      merged.push(
        data.analyses.length === 1 && data.analyses[0]
          ? data.analyses[0]
          : await gateway.ask(context, settings, { ...question, name, instructions: `${MERGE}\n${rule}`, data }),
      )
    }
    return await merge(merged, round + 1)
  }
}

/** What the transcription says, else what the collection says; of Norwegian the form in which it is written. */
function languageOf(segments: readonly Segment[], { language: standard }: CollectionSettings): string {
  const language = segments.find((segment) => segment.language)?.language ?? standard
  if (!/^(nb|nn|no)\b/.test(language)) return language
  return norwegianForm(segments.map(({ text }) => text).join(' ')) ?? language
}
