import { compareFacts, isBlank, keepOnlyLinksOf, norwegianForm } from '@sidelinja/jobs-kit'
import { mayTakeSameSide } from './stance-of.ts'

/**
 * What can be told without a model: a wording of the same question has its numbers and names and its form of Norwegian, brings no link, and does not say no where it said yes, nor keep where it said close. One that fails is left out, be it ever so good: the
 * original stands beside it, and a person decides.
 */
export function keepsMeaning(original: string, wording: string, names: readonly string[]): boolean {
  const { lostNumbers, newNumbers, lostNames, newNames } = compareFacts(original, wording, { names })
  const facts = lostNumbers.length + newNumbers.length + lostNames.length + newNames.length
  const [before, after] = [norwegianForm(original), norwegianForm(wording)]
  const sameForm = before === null || after === null || before === after
  return (
    facts === 0 && sameForm && !isBlank(wording) && keepOnlyLinksOf(wording, original) === wording && mayTakeSameSide(original, wording)
  )
}
