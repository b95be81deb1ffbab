import { compareFacts } from './compare-facts.ts'

/** What a point is held against. */
export interface PointSource {
  /** The words that bear it out. */
  readonly quotes: readonly string[]
  /** What is said around them, and by whom: the point may name who is meant. */
  readonly said: readonly string[]
  /** The names that are known. */
  readonly names?: readonly string[]
}

/** True where a point has a number, a weekday or a month that its quotes have not, or a name that is not said around them. */
export function addsFacts(text: string, { quotes, said, names = [] }: PointSource): boolean {
  const { newNumbers, newDays } = compareFacts(quotes.join('\n'), text, { isCounted: false })
  const { newNames } = compareFacts(said.join('\n'), text, { names, isCounted: false })
  return newNumbers.length + newDays.length + newNames.length > 0
}
