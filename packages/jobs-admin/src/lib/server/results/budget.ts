import type { ResultText as GivenText } from '@sidelinja/jobs-core/admin'
import type { ResultText } from '../../page/wire/result-body.ts'
import { CUT, MASK, maskText } from '../mask/mask-text.ts'

/** How much of a result is shown. The first are numbers of things, the others characters. */
export const most = {
  ...{ parts: 40, items: 1_000, rows: 1_000, cells: 20, facts: 60, quotes: 10, doubts: 8, peaks: 2_000 },
  ...{ label: 300, line: 4_000, text: 20_000, all: 131_072 },
} as const

/** Masks texts and counts what is shown; what is too much is left out, and said. */
export interface Budget {
  /** A text without its secrets, of at most so many characters. */
  text(given: string, max: number): string
  label(given: GivenText, max?: number): ResultText
  /** The first of a list; `item` is not called for the others. Stops where the characters are spent. */
  list<Given, Shown>(given: readonly Given[], max: number, item: (given: Given) => Shown): Shown[]
  readonly masked: number
  readonly cut: boolean
}

/** A budget of one answer. */
export function createBudget(): Budget {
  let left: number = most.all
  let masked = 0
  let cut = false

  function text(given: string, max: number): string {
    const clean = maskText(given)
    if (clean.includes(MASK) && clean !== given) masked++
    const length = Math.min(max, Math.max(left, 0))
    const isCut = clean.length > length || clean.endsWith(CUT)
    if (isCut) cut = true
    left -= Math.min(clean.length, length)
    return isCut ? `${clean.slice(0, length).toWellFormed()} …` : clean
  }

  return {
    text,
    label(given, max = most.label) {
      if (typeof given === 'string') return text(given, max)
      return { nb: text(given.nb, max), nn: text(given.nn, max), en: text(given.en, max) }
    },
    list(given, max, item) {
      const shown = []
      for (const one of given) {
        if (shown.length >= max || left <= 0) break
        shown.push(item(one))
      }
      if (shown.length < given.length) cut = true
      return shown
    },
    get masked() {
      return masked
    },
    get cut() {
      return cut
    },
  }
}
