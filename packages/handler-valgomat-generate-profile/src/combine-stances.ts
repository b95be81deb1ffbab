import type { Found } from './check-stances.ts'
import type { Stance } from './job.ts'

const mostEvidence = 8

/**
 * One stance out of those that several pages show: of two on the same side the weaker one, for a profile must not say more than the programme. Null where they are on different sides, or one of them is
 * neither: that is to be settled by another question. Null of none.
 */
export function combineStances(all: readonly Found[]): Found | null {
  const [first] = all
  if (first === undefined) return null
  const sides = new Set(all.map(({ stance }) => Math.sign(stance)))
  if (sides.size > 1) return null
  const weakest = all.reduce((a, b) => (Math.abs(b.stance) < Math.abs(a.stance) ? b : a))
  return { ...weakest, evidence: joinEvidence(all) }
}

/** What was quoted, each once, by page; of very much as many for each side. */
export function joinEvidence(all: readonly Found[]): Found['evidence'] {
  return quotesOf(all).map(({ page, quote }) => ({ page, quote }))
}

/** The same, each with the stance that it was quoted for. */
export function quotesOf(all: readonly Found[]): { stance: Stance; page: number; quote: string }[] {
  const sides = [1, 0, -1].map((sign) => all.filter(({ stance }) => Math.sign(stance) === sign)).filter((side) => side.length > 0)
  const each = Math.ceil(mostEvidence / Math.max(1, sides.length))
  const quotes = sides.flatMap((side) => {
    const once = new Map(
      side.flatMap(({ stance, evidence }) => evidence.map((said) => [`${said.page} ${said.quote}`, { stance, ...said }])),
    )
    return [...once.values()].slice(0, each)
  })
  return quotes.toSorted((a, b) => a.page - b.page)
}
