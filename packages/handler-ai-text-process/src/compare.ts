import { compareFacts, norwegianForm } from '@sidelinja/jobs-kit'
import type { Mode, Uncertain } from './job.ts'

const mostListed = 200
/** How much shorter or longer a text may become that says the same. One of fewer characters may be fillers all, and as long as one of so many. */
const ratios = { rens: [0.5, 1.3], skriv_om: [0.4, 2] } as const
const leastCharacters = 60

/** What a text says that the one made of it does not, and the other way round. One that shortens may leave out, but not add. */
export function compare(mode: Mode, before: string, after: string, names: readonly string[]): Uncertain[] {
  const { lostNumbers, newNumbers, lostNames, newNames } = compareFacts(before, after, names)
  const saysTheSame = mode === 'rens' || mode === 'skriv_om'
  return [
    ...(saysTheSame ? [...list('lost_number', lostNumbers), ...list('lost_name', lostNames), ...compareLengths(mode, before, after)] : []),
    ...list('new_number', newNumbers),
    ...list('new_name', newNames),
  ]
}

/** Another form of Norwegian than that of the source. */
export function compareLanguages(before: string, after: string): Uncertain[] {
  const [expected, got] = [norwegianForm(before), norwegianForm(after)]
  return expected !== null && got !== null && expected !== got ? [{ kind: 'language', text: `${expected} → ${got}` }] : []
}

/** Each once, and no more than can be looked at. */
export function listUncertain(all: readonly Uncertain[]): Uncertain[] {
  const once = [...new Map(all.map((each) => [`${each.kind} ${each.text}`, each])).values()]
  if (once.length <= mostListed) return once
  const listed = once.slice(0, mostListed - 1)
  return [...listed, { kind: 'more', text: String(once.length - listed.length) }]
}

/** True for a text that is no other wording of its source, whatever else may be right in it. */
export function isUnlike(uncertain: readonly Uncertain[]): boolean {
  return uncertain.some(({ kind }) => kind === 'length' || kind === 'language')
}

function list(kind: Uncertain['kind'], facts: readonly string[]): Uncertain[] {
  return facts.map((fact) => ({ kind, text: fact.slice(0, 100) }))
}

function compareLengths(mode: 'rens' | 'skriv_om', before: string, after: string): Uncertain[] {
  const [from, to] = [before.trim().length, after.trim().length]
  const [least, most] = ratios[mode]
  const tooShort = from >= leastCharacters && to < from * least
  if (!tooShort && to <= Math.max(from, leastCharacters) * most) return []
  return [{ kind: 'length', text: `${from} → ${to}: ${before.trim().slice(0, 60)}` }]
}
