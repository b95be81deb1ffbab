import { compareTexts } from '@sidelinja/jobs-kit'
import type { Mode, Uncertain } from './job.ts'

/** How much shorter or longer a text may become that says the same; the others may leave out. */
const ratios: Partial<Record<Mode, readonly [least: number, most: number]>> = { rens: [0.5, 1.3], skriv_om: [0.4, 2] }

/** What is to be looked at before the text that was made is used. */
export function compare(mode: Mode, before: string, after: string, names: readonly string[]): Uncertain[] {
  return compareTexts(before, after, { names, ratio: ratios[mode] })
}
