import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import {
  askAndMerge,
  type CollectionSettings,
  collectCuts,
  type Gateway,
  isUnlike,
  type JsonObject,
  languageRule,
  listChanges,
  norwegianForm,
  splitText,
  splitTextInHalves,
} from '@sidelinja/jobs-kit'
import type { z } from 'zod'
import { checkNote, type Note, titleOf } from './check-note.ts'
import type { Dictation, Result } from './job.ts'
import { CLEAN, noteReply, PROMPT_VERSION, TITLE, titleReply } from './questions.ts'

/** What is written anew must fit into the reply, too. */
const budgetTokens = 4_000
const maxTokens = 6_000
/** More would only fill the prompt. */
const mostNames = 200

/** A note as it is stored, and what there is to tell of it. */
export interface Cleaned {
  readonly title: string
  readonly content: string
  readonly about: Pick<Dictation, 'uncertain' | 'actionPoints' | 'original' | 'language'>
  readonly told: Pick<Result, 'actionPoints' | 'uncertain' | 'unlike' | 'parts' | 'dropped' | 'cut'>
}

/** Makes a note of what was dictated, in parts where it is long; each is compared with what it was made of. */
export async function cleanDictation(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { text, settings }: { text: string; settings: CollectionSettings },
): Promise<Cleaned> {
  const language = norwegianForm(text)
  const names = settings.names.slice(0, mostNames)
  const { cut, onCut } = collectCuts()
  const ask = <Reply extends z.ZodType>(name: string, instructions: string, data: JsonObject, reply: Reply) =>
    gateway.ask(context, settings, {
      ...{ name, model: 'routine', promptVersion: PROMPT_VERSION, maxTokens, onCut, data, reply },
      instructions: `${instructions}\n${languageRule(typeof data.text === 'string' ? (norwegianForm(data.text) ?? language) : language)}`,
    })

  const { reply: note, parts } = await askAndMerge<string, Note>(context, {
    ...{ parts: splitText(text, budgetTokens), halve: splitTextInHalves, budgetTokens },
    ask: async (part, name) => {
      const reply = await ask(`note-${name}`, CLEAN, { names, text: part }, noteReply(2 * part.length + 1_000))
      return checkNote(reply, { part, names: settings.names })
    },
    sizeOf: () => '',
    merge: join,
  })
  const title = note.titles.length > 1 ? (await ask('title', TITLE, { titles: note.titles }, titleReply)).title : (note.titles[0] ?? '')
  const checked = titleOf(title, text)
  const uncertain = listChanges([...checked.uncertain, ...note.uncertain])
  const unlike = isUnlike(uncertain)
  return {
    ...{ title: checked.title, content: note.body },
    about: { uncertain, actionPoints: note.actionPoints, language, ...(unlike && { original: text }) },
    told: { actionPoints: note.actionPoints.length, uncertain: uncertain.length, unlike, parts, dropped: note.dropped, cut },
  }
}

/** In their order. */
function join(notes: readonly Note[]): Note {
  const dropped: Record<string, number> = {}
  for (const [kind, count] of notes.flatMap((note) => Object.entries(note.dropped))) dropped[kind] = (dropped[kind] ?? 0) + count
  return {
    titles: notes.flatMap(({ titles }) => titles),
    body: notes.map(({ body }) => body).join('\n\n'),
    uncertain: notes.flatMap(({ uncertain }) => uncertain),
    actionPoints: notes.flatMap(({ actionPoints }) => actionPoints),
    dropped,
  }
}
