import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  createReplyCheck,
  type Gateway,
  halvePart,
  type JsonObject,
  languageRule,
  norwegianForm,
  quoteOccurs,
  splitSegments,
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
  readonly about: Pick<Summary, 'keyPoints' | 'language'>
  readonly told: Pick<Result, 'keyPoints' | 'parts' | 'dropped' | 'cut'>
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

  const { reply, parts } = await askAndMerge(context, {
    ...{ parts: splitSegments(communication.said, { budgetTokens }), halve: halvePart, budgetTokens },
    ask: (part, name) => ask(`summary-${name}`, SUMMARIZE, { segments: part.segments }),
    merge: (replies, name) => ask(name, MERGE, { summaries: replies.map(({ summary, key_points }) => ({ summary, key_points })) }),
  })

  const { keep, told, dropped, plain } = createReplyCheck(whole)
  const keyPoints = keep('key_points', reply.key_points, ({ text, quote }) => {
    const [point, said] = [told(text), quoteOccurs(quote, whole) ? told(quote) : undefined]
    return point === undefined || said === undefined ? undefined : { text: point.replace(/\s+/g, ' '), quote: said }
  })
  return {
    title: titleOf(communication.title, language ?? settings.language),
    content: [plain(reply.summary), keyPoints.map(({ text }) => `- ${text}`).join('\n')].filter((block) => block !== '').join('\n\n'),
    about: { keyPoints, language },
    told: { keyPoints: keyPoints.length, parts, dropped: dropped.key_points ?? 0, cut },
  }
}

function titleOf(title: string | null, language: string): string {
  const word = /^nn\b/.test(language) ? 'Samandrag' : /^(?:nb|no)\b/.test(language) ? 'Sammendrag' : 'Summary'
  return title?.trim() ? `${word}: ${title.trim()}`.slice(0, mostTitle).toWellFormed() : word
}
