/** What of a fresh answer becomes of the rows that are shown. */
export interface MergedRows<Row> {
  rows: readonly Row[]
  /** Rows that are not shown yet. */
  fresh: readonly Row[]
  /** Shown rows that the answer does not have, though it reaches as far. */
  left: readonly Row[]
}

/** How to compare. */
export interface MergeOptions<Row> {
  keyOf: (row: Row) => string
  /** Put unknown rows at the end, and take away what is gone: for short lists. Otherwise only what is shown is patched. */
  whole?: boolean
}

/**
 * Patches shown rows by their key, in place: their order never changes under a pointer, and what is new does not push them. Rows that have not changed
 * are the same objects as before. Pure.
 */
export function mergeRows<Row>(
  shown: readonly Row[],
  answer: readonly Row[],
  { keyOf, whole = false }: MergeOptions<Row>,
): MergedRows<Row> {
  const found = new Map(answer.map((row) => [keyOf(row), row]))
  const known = new Set(shown.map(keyOf))
  const fresh = answer.filter((row) => !known.has(keyOf(row)))
  const left = shown.filter((row) => !found.has(keyOf(row)))
  const patched = shown.map((row) => unlessSame(row, found.get(keyOf(row))))
  if (!whole) return { rows: patched, fresh, left }
  return { rows: [...patched.filter((row) => found.has(keyOf(row))), ...fresh], fresh, left }
}

function unlessSame<Row>(row: Row, newer: Row | undefined): Row {
  return newer === undefined || JSON.stringify(newer) === JSON.stringify(row) ? row : newer
}
