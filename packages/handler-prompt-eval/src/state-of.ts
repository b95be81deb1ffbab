/** What can become of a cell. */
export type CellState = 'passed' | 'failed' | 'error' | 'ungraded' | 'left'

/** As far as it is looked at here. */
interface Row {
  readonly pass: boolean | null
  readonly asserts: unknown
  readonly error: { readonly code: string } | null
}

/** Without a verdict it is a model without a whole output, a judge that gave none, or a cell that the judge was not asked about any more. */
export function stateOf({ pass, error, asserts }: Row): CellState {
  if (pass !== null) return pass ? 'passed' : 'failed'
  if (error?.code === 'NOT_GRADED') return 'left'
  return Array.isArray(asserts) && asserts.length > 0 ? 'ungraded' : 'error'
}
