import type { z } from 'zod'

/** How many entries were cut, by list: `chapters`, or `decisions.evidence` for lists within one. */
export type Cut = Readonly<Record<string, number>>

type Issue = z.core.$ZodIssue

/**
 * A value whose lists are as long as they may be: what is too much goes from their ends, and is counted. Undefined where no list is too long.
 * @param issues what zod has against the value.
 */
export function cutLists(value: unknown, issues: readonly Issue[]): { value: unknown; cut: Cut } | undefined {
  const tooLong = issues.flatMap((issue) => (issue.code === 'too_big' && issue.origin === 'array' ? [issue] : []))
  if (tooLong.length === 0) return undefined
  const shortened = structuredClone(value)
  const cut: Record<string, number> = {}
  // Inner lists first: they may be in what goes.
  for (const { path, maximum } of tooLong.toSorted((a, b) => b.path.length - a.path.length)) {
    const list = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], shortened)
    if (!Array.isArray(list)) return undefined
    const name = path.filter((key) => typeof key === 'string').join('.')
    cut[name] = (cut[name] ?? 0) + list.splice(Number(maximum)).length
  }
  return { value: shortened, cut }
}

/** Adds up what was cut from the replies to several questions, for the result of their job. */
export function collectCuts(): { readonly cut: Record<string, number>; readonly onCut: (cut: Cut) => void } {
  const total: Record<string, number> = {}
  return {
    cut: total,
    onCut(cut) {
      for (const [list, entries] of Object.entries(cut)) total[list] = (total[list] ?? 0) + entries
    },
  }
}
