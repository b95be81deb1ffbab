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
} from '@sidelinja/jobs-kit'
import { leaveOut, readLines } from './clip-text.ts'
import type { Clip, Payload, Result } from './job.ts'
import { CLIP, clipReply, MERGE, type PartReply, PROMPT_VERSION, partReply } from './questions.ts'

/** Leaves room for instructions and reply in a window of 16,000 tokens. */
const budgetTokens = 8_000

/** What a clip became: what its node holds, and what there is to tell. */
export interface ReadClip {
  readonly title: string
  readonly content: string
  readonly clip: Omit<Clip, 'jobId'>
  readonly told: Omit<Result, 'nodeId'>
}

/** Asks what the text says, in parts where it is long, and then about the parts together; checks the end of it against the text. */
export async function readClip(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { payload, settings }: { payload: Payload; settings: CollectionSettings },
): Promise<ReadClip> {
  const { sourceUrl = null, title } = payload
  const lines = readLines(payload.text)
  const language = norwegianForm(payload.text)
  const rule = languageRule(language)
  const known = { ...(sourceUrl && { site: new URL(sourceUrl).hostname }), ...(title && { title }) }
  const { cut, onCut } = collectCuts()
  const question = { model: 'routine', promptVersion: PROMPT_VERSION, onCut } as const

  const { reply, parts } = await askAndMerge<SegmentPart, PartReply>(context, {
    ...{ parts: splitSegments(lines, { budgetTokens }), halve: halvePart, budgetTokens },
    ask: async ({ segments }, name) => {
      const data = { ...known, segments: [...segments] }
      const about = { ...question, name: `clip-${name}`, instructions: `${CLIP}\n${rule}`, data, reply: partReply }
      const found = await gateway.ask(context, settings, about)
      const numbers = new Set(segments.map(({ segment }) => segment))
      return { ...found, noise_segments: found.noise_segments.filter((number) => numbers.has(number)) }
    },
    merge: async (replies, name) => {
      const data = { ...known, parts: replies.map(({ noise_segments: _, ...found }) => found) }
      const merged = await gateway.ask(context, settings, { ...question, name, instructions: `${MERGE}\n${rule}`, data, reply: clipReply })
      return { ...merged, noise_segments: replies.flatMap(({ noise_segments }) => noise_segments) }
    },
  })

  const { text, leftOut, kept } = leaveOut(lines, reply.noise_segments)
  const plain = (said: string) => keepOnlyLinksOf(said, text).trim()
  const keyClaims = reply.key_claims
    .filter(({ quote }) => quoteOccurs(quote, text))
    .map(({ claim, quote }) => ({ claim: plain(claim), quote: plain(quote) }))
    .filter(({ claim, quote }) => !isBlank(claim) && !isBlank(quote))
  const found = plain(reply.title).replace(/\s+/g, ' ')
  return {
    ...{ title: title ?? (isBlank(found) ? firstLine(text) : found), content: text },
    clip: {
      ...{ summary: plain(reply.summary), keyClaims, sourceType: reply.source_type, sourceUrl, language, leftOut: leftOut.lines },
      ...{ model: settings.models.routine, promptVersion: PROMPT_VERSION },
    },
    told: {
      keyClaims: keyClaims.length,
      leftOut,
      parts,
      dropped: { claims: reply.key_claims.length - keyClaims.length, lines: kept },
      cut,
    },
  }
}

/** Of a model's title nothing may be left when its links are gone. */
function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 120).trim().toWellFormed()
}
