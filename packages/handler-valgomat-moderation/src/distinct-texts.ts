import type { Item } from './word-questions.ts'

/** Questions in the same words, and the one that is asked about for all of them. */
export interface Distinct {
  readonly questions: readonly Item[]
  /** By the id of each question: the one that stands for it; the first of them is its own. */
  readonly standsFor: ReadonlyMap<string, string>
}

/** The same words ask the same, whatever their case, blanks and last sign: no model has to say so, nor is one of them to be crowded out by the others where only the nearest are asked about. */
export function distinctTexts(questions: readonly Item[]): Distinct {
  const first = new Map<string, Item>()
  const standsFor = new Map<string, string>()
  for (const question of questions) {
    const words = fold(question.text)
    const known = first.get(words) ?? question
    first.set(words, known)
    standsFor.set(question.id, known.id)
  }
  return { questions: [...first.values()], standsFor }
}

function fold(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?]+$/, '')
    .trim()
}
