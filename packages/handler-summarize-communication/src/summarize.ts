import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  addsFacts,
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  compareLanguages,
  createReplyCheck,
  type Gateway,
  halvePart,
  isQuote,
  type JsonObject,
  languageRule,
  listChanges,
  norwegianForm,
  quoteOccurs,
  splitSegments,
  type TextChange,
} from '@sidelinja/jobs-kit'
import type { Result, Summary } from './job.ts'
import { MERGE, PROMPT_VERSION, SUMMARIZE, type SummaryReply, summaryReply } from './questions.ts'
import type { Communication } from './read-communication.ts'

/** Leaves room for instructions and reply in a window of 16,000 tokens. */
const budgetTokens = 8_000
const mostTitle = 300

/** A summary as it is stored, and what there is to tell of it. */
export interface Made {
  readonly title: string
  readonly content: string
  readonly about: Pick<Summary, 'keyPoints' | 'uncertain' | 'language'>
  readonly told: Pick<Result, 'keyPoints' | 'uncertain' | 'parts' | 'dropped' | 'cut'>
}

/** Asks for a summary, of parts where there is much, and then of the parts together; checks the end of it against what was said. */
export async function summarize(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { communication, settings }: { communication: Communication; settings: CollectionSettings },
): Promise<Made> {
  const whole = communication.said.map(({ text }) => text).join('\n')
  const language = norwegianForm(whole) ?? communication.language
  const { cut, onCut } = collectCuts()
  const ask = (name: string, instructions: string, data: JsonObject): Promise<SummaryReply> =>
    gateway.ask(context, settings, {
      ...{ name, model: 'reasoning', reply: summaryReply, promptVersion: PROMPT_VERSION, onCut, data },
      instructions: `${instructions}\n${languageRule(language)}`,
    })

  const languages: TextChange[] = []
  const { reply, parts } = await askAndMerge(context, {
    ...{ parts: splitSegments(communication.said, { budgetTokens }), halve: halvePart, budgetTokens },
    ask: async (part, name) => {
      const made = await ask(`summary-${name}`, SUMMARIZE, { segments: part.segments })
      languages.push(...compareLanguages(part.segments.map(({ text }) => text).join('\n'), made.summary))
      return made
    },
    merge: (replies, name) => ask(name, MERGE, { summaries: replies.map(({ summary, key_points }) => ({ summary, key_points })) }),
  })

  const around = communication.said.flatMap(({ text, speaker }) => [text, speaker ?? ''])
  const { keep, told, dropped, plain } = createReplyCheck(whole)
  const keyPoints = keep('key_points', reply.key_points, ({ text, quote }) => {
    const [point, said] = [told(text), communication.turns.some((turn) => quoteOccurs(quote, turn)) ? told(quote) : undefined]
    const isAdded = point === undefined || !isQuote(quote) || addsFacts(point, { quotes: [quote], said: around, names: settings.names })
    return isAdded || said === undefined ? undefined : { text: point.replace(/\s+/g, ' '), quote: said }
  })
  const uncertain = listChanges([...languages, ...compareLanguages(whole, reply.summary)]).map(({ text }) => ({
    kind: 'language' as const,
    text,
  }))
  return {
    title: titleOf(communication.title, language ?? settings.language),
    content: [plain(reply.summary), keyPoints.map(({ text }) => `- ${text}`).join('\n')].filter((block) => block !== '').join('\n\n'),
    about: { keyPoints, uncertain, language },
    told: { keyPoints: keyPoints.length, uncertain: uncertain.length, parts, dropped: dropped.key_points ?? 0, cut },
  }
}

function titleOf(title: string | null, language: string): string {
  const word = /^nn\b/.test(language) ? 'Samandrag' : /^(?:nb|no)\b/.test(language) ? 'Sammendrag' : 'Summary'
  return title?.trim() ? `${word}: ${title.trim()}`.slice(0, mostTitle).toWellFormed() : word
}
