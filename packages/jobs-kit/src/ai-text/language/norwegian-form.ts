import { foreignWords, formEndings, formWords, neighbourWords } from './form-words.ts'

/** The written forms of Norwegian, as language tags name them. */
export type NorwegianForm = 'nb' | 'nn'

/** The losing form may have half as many words as the winner, from quotes; other languages fewer than the winner, where one of a neighbour's counts as five. */
const MOST_OF_OTHER_FORM = 1 / 2
const NEIGHBOUR_WEIGHT = 5
const LEAST_FOREIGN = 2

/**
 * In which form a text is, by a vote of the small words that only one of them has. Null where there are none, where both have about as many, and where the text
 * is in another language; but a short Danish sentence may pass for `nb`.
 */
export function norwegianForm(text: string): NorwegianForm | null {
  return formOf(countWords(text))
}

/** The same, and `other` where the small words are another language's: two of them at least, and more than of either form. Null tells nothing. */
export function writtenLanguage(text: string): NorwegianForm | 'other' | null {
  const counts = countWords(text)
  return formOf(counts) ?? (counts.foreign >= LEAST_FOREIGN && counts.foreign > Math.max(counts.nb, counts.nn) ? 'other' : null)
}

interface Counts {
  readonly nb: number
  readonly nn: number
  readonly foreign: number
}

function countWords(text: string): Counts {
  const counts = { nb: 0, nn: 0, foreign: 0 }
  for (const [word] of text
    .normalize('NFC')
    .toLowerCase()
    .matchAll(/\p{L}[\p{L}-]*/gu)) {
    if (isOf('nb', word)) counts.nb++
    else if (isOf('nn', word)) counts.nn++
    else if (neighbourWords.has(word)) counts.foreign += NEIGHBOUR_WEIGHT
    else if (foreignWords.has(word)) counts.foreign++
  }
  return counts
}

function formOf(counts: Counts): NorwegianForm | null {
  const [form, other] = counts.nb >= counts.nn ? (['nb', 'nn'] as const) : (['nn', 'nb'] as const)
  if (counts[form] === 0 || counts[form] <= counts.foreign) return null
  return counts[other] <= counts[form] * MOST_OF_OTHER_FORM ? form : null
}

function isOf(form: NorwegianForm, word: string): boolean {
  return formWords[form].has(word) || (word.length < 40 && formEndings[form].test(word))
}
