import type { HandlerContext } from '@sidelinja/jobs-core/worker'
import type { CollectionSettings, Gateway } from '@sidelinja/jobs-kit'
import type { NewModeration } from '@sidelinja/jobs-kit/storage'
import { blockPairs, type Placed } from './block-pairs.ts'
import { clusterQuestions, type Place } from './cluster-questions.ts'
import { distinctTexts } from './distinct-texts.ts'
import { keepsMeaning } from './keeps-meaning.ts'
import { PROMPT_VERSION } from './questions.ts'
import { relatePairs } from './relate-pairs.ts'
import { type Item, type Worded, wordQuestions } from './word-questions.ts'

/** What is moderated. */
export interface Material {
  readonly questions: readonly Item[]
  readonly statements: readonly Item[]
  readonly settings: CollectionSettings
}

/** What is suggested, and what there is to tell. */
export interface Moderated {
  readonly questions: readonly NewModeration[]
  /** Wordings that were left out. */
  readonly moved: number
  /** Pairs and questions that the model did not answer for. */
  readonly undecided: number
}

/** Finds what asks the same, and words what is left neutrally; a wording that moves the stance is left out. What is said in the same words is asked about once. */
export async function moderate(gateway: Gateway, context: HandlerContext<unknown>, material: Material): Promise<Moderated> {
  const { questions, standsFor } = distinctTexts(material.questions)
  const moderated = await moderateDistinct(gateway, context, { ...material, questions })
  const byId = new Map(moderated.questions.map((question) => [question.questionId, question]))
  const copiesOf = (id: string) => {
    const copies = material.questions.filter((question) => standsFor.get(question.id) === id).map((question) => question.id)
    return copies.length === 0 ? [id] : copies
  }
  return {
    ...moderated,
    questions: material.questions.flatMap(({ id, text }) => {
      const found = byId.get(standsFor.get(id) ?? id)
      return found ? [{ ...found, questionId: id, original: text, opposites: found.opposites.flatMap(copiesOf) }] : []
    }),
  }
}

async function moderateDistinct(gateway: Gateway, context: HandlerContext<unknown>, material: Material): Promise<Moderated> {
  const { questions, settings } = material
  const { places, undecided } = await placeQuestions(gateway, context, material)
  const unanswered = questions.filter(({ id }) => !places.get(id)?.duplicateOf)
  const worded = await wordQuestions(gateway, context, settings, unanswered)
  const wordings = questions.flatMap(({ id, text }): Wording[] => {
    const neutral = worded.get(id)?.neutral ?? null
    return neutral === null ? [] : [{ id, text, neutral }]
  })
  const checked = await checkWordings(gateway, context, settings, wordings)
  const alone = (id: string): Place => ({ clusterOf: id, duplicateOf: null, similarity: null, opposites: [] })
  return {
    questions: questions.map((item) =>
      suggest(item, places.get(item.id) ?? alone(item.id), { worded: worded.get(item.id), kept: checked.kept }),
    ),
    moved: wordings.length - checked.kept.size,
    undecided: undecided + unanswered.length - worded.size + checked.undecided,
  }
}

/** What is near is asked about: vectors of "for" and "against" are near, too. */
async function placeQuestions(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  { questions, statements, settings }: Material,
): Promise<{ places: Map<string, Place>; undecided: number }> {
  const all = [...questions, ...statements]
  const texts = all.map(({ text }) => text)
  const vectors = await gateway.embed(context, settings, { name: 'texts', texts, promptVersion: PROMPT_VERSION })
  const placed = all.map((item, index): Placed => ({ ...item, vector: vectors[index] ?? new Float32Array() }))
  const [asked, known] = [placed.slice(0, questions.length), placed.slice(questions.length)]
  const pairs = blockPairs(asked, known)
  const textPairs = pairs.map(({ a, b }) => ({ a: a.text, b: b.text }))
  const relations = await relatePairs(gateway, context, settings, { name: 'pairs', pairs: textPairs })
  const decided = pairs.map((pair, index) => ({ ...pair, relation: relations[index] ?? 'different' }))
  return { places: clusterQuestions(asked, decided), undecided: relations.filter((relation) => relation === undefined).length }
}

interface Wording extends Item {
  readonly neutral: string
}

/** Asks from both sides: a model that finds the first one right by its place finds the second one wrong. */
async function checkWordings(
  gateway: Gateway,
  context: HandlerContext<unknown>,
  settings: CollectionSettings,
  wordings: readonly Wording[],
): Promise<{ kept: Set<string>; undecided: number }> {
  const pairs = wordings.flatMap(({ text, neutral }) => [
    { a: text, b: neutral },
    { a: neutral, b: text },
  ])
  const relations = await relatePairs(gateway, context, settings, { name: 'wording', pairs })
  const kept = wordings.filter(({ text, neutral }, index) => {
    const same = relations[index * 2] === 'same' && relations[index * 2 + 1] === 'same'
    return same && keepsMeaning(text, neutral, settings.names)
  })
  return { kept: new Set(kept.map(({ id }) => id)), undecided: relations.filter((relation) => relation === undefined).length }
}

function suggest(
  { id, text }: Item,
  place: Place,
  { worded, kept }: { worded: Worded | undefined; kept: ReadonlySet<string> },
): NewModeration {
  const { verdict = 'ok', neutral = null, changes = [], flags = [] } = worded ?? {}
  const moved = neutral !== null && !kept.has(id)
  const wording = moved ? { neutralText: null, changes: [], flags: [...flags, 'stance_moved'] } : { neutralText: neutral, changes, flags }
  return { questionId: id, original: text, verdict, ...wording, ...place }
}
