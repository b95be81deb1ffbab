import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  compareLanguages,
  type Gateway,
  isBlank,
  type JsonObject,
  keepOnlyLinksOf,
  languageRule,
  listChanges,
  norwegianForm,
  quoteOccurs,
  splitText,
  splitTextInHalves,
} from '@sidelinja/jobs-kit'
import type { z } from 'zod'
import { compare } from './compare.ts'
import type { Mode, Uncertain } from './job.ts'
import { factsReply, INSTRUCTIONS, MERGE, PROMPT_VERSION, textReply } from './questions.ts'

/** What is written anew must fit into the reply, too. */
const budgetTokens = { rens: 4_000, skriv_om: 4_000, fakta: 4_000, oppsummer: 8_000 }
const maxTokens = 6_000

/** What there is to work on. */
export interface Material {
  readonly mode: Mode
  readonly text: string
  readonly settings: CollectionSettings
}

/** A text that was made of another, or of a part of it. */
export type Processed = {
  text: string
  uncertain: Uncertain[]
  dropped: number
}

/** Works on a text, in parts where it is long; checks what comes of it against the text that was given. */
export async function processText(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { mode, text, settings }: Material,
): Promise<Processed & { parts: number; cut: number }> {
  const { cut, onCut } = collectCuts()
  const rule = languageRule(norwegianForm(text))
  const ask = async <Reply extends z.ZodType>(name: string, instructions: string, data: JsonObject, reply: Reply) =>
    await gateway.ask(context, settings, {
      ...{ name, model: 'routine', reply, promptVersion: PROMPT_VERSION, maxTokens, onCut },
      ...{ instructions: `${instructions}\n${rule}`, data: { mode, ...data } },
    })
  const rewrite = async (part: string, name: string): Promise<Processed> => {
    const reply = await ask(`${nameOf(mode)}-${name}`, INSTRUCTIONS[mode], { text: part }, textReply(2 * part.length + 1_000))
    const made = inPlaceOf(part, keepOnlyLinksOf(reply.text, text))
    const uncertain = compare(mode, mode === 'oppsummer' ? text : part, made, settings.names)
    return { text: made, uncertain: [...compareLanguages(part, made), ...uncertain], dropped: 0 }
  }
  const findFacts = async (part: string, name: string): Promise<Processed> => {
    const { facts } = await ask(`fakta-${name}`, INSTRUCTIONS.fakta, { text: part }, factsReply)
    const borneOut = facts.filter(({ fact, quote }) => quoteOccurs(quote, part) && !isBlank(keepOnlyLinksOf(fact, text)))
    const lines = new Set(borneOut.map(({ fact }) => `- ${fact.replace(/\s+/g, ' ').trim()}\n`))
    const made = keepOnlyLinksOf([...lines].join(''), text)
    return { text: made, uncertain: compare(mode, text, made, settings.names), dropped: facts.length - borneOut.length }
  }
  const sumUp = async (parts: readonly Processed[], name: string): Promise<Processed> => {
    const reply = await ask(name, MERGE, { summaries: parts.map((part) => part.text) }, textReply(8_000))
    const made = keepOnlyLinksOf(reply.text, text).trim()
    return { ...join(parts), text: made, uncertain: compare(mode, text, made, settings.names) }
  }

  const { reply, parts } = await askAndMerge(context, {
    ...{ parts: splitText(text, budgetTokens[mode]), halve: splitTextInHalves, budgetTokens: budgetTokens[mode] },
    ask: async (part, name) => {
      // Of nothing a model makes something.
      if (part.trim() === '') return { text: part, uncertain: [], dropped: 0 }
      return await (mode === 'fakta' ? findFacts : rewrite)(part, name)
    },
    merge: mode === 'oppsummer' ? sumUp : join,
  })
  const made = mode === 'rens' || mode === 'skriv_om' ? reply.text : reply.text.trim()
  return {
    ...reply,
    text: made,
    parts,
    cut: cut.facts ?? 0,
    uncertain: listChanges([...compareLanguages(text, made), ...reply.uncertain]),
  }
}

/** In their order. A fact that two parts tell is told once. */
function join(parts: readonly Processed[]): Processed {
  return {
    text: parts.map(({ text }) => text).join(''),
    uncertain: parts.flatMap(({ uncertain }) => uncertain),
    dropped: parts.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}

/** With the blanks that stood around it: models leave them out, and parts are joined as they were parted. */
function inPlaceOf(part: string, text: string): string {
  return `${/^\s*/.exec(part)?.[0] ?? ''}${text.trim()}${/\s*$/.exec(part)?.[0] ?? ''}`
}

function nameOf(mode: Mode): string {
  return mode.replace('_', '-')
}
