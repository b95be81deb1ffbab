import { PermanentError } from '../errors/permanent-error.ts'

/**
 * Whose jobs a statement may see: those of these collections, or `all`. There is no default, so that forgetting it cannot open
 * every tenant's jobs.
 */
export type Scope = 'all' | { readonly collectionNodeIds: readonly string[] }

/** The collections as a parameter: null for all. */
export function scopeIds(scope: Scope): readonly string[] | null {
  if (scope === 'all') return null
  if (Array.isArray(scope?.collectionNodeIds)) return scope.collectionNodeIds
  throw new PermanentError('SCOPE_MISSING', "A scope is 'all' or { collectionNodeIds: [...] }: say whose jobs are meant.")
}
