import { PermanentError } from '../errors/permanent-error.ts'
import { JobNotFoundError } from '../errors/queue-error.ts'
import { isUuid } from '../text/is-uuid.ts'
import { show } from '../text/show.ts'

/**
 * Whose jobs a statement may see: those of these collections, or `all`. There is no default, so that forgetting it cannot open
 * every tenant's jobs.
 */
export type Scope = 'all' | { readonly collectionNodeIds: readonly string[] }

/**
 * The collections as a parameter: null for all.
 * @throws PermanentError `SCOPE_INVALID`
 */
export function scopeIds(scope: Scope): readonly string[] | null {
  if (scope === 'all') return null
  const ids = scope?.collectionNodeIds
  if (Array.isArray(ids) && ids.every(isUuid)) return ids
  throw new PermanentError(
    'SCOPE_INVALID',
    `A scope is 'all' or { collectionNodeIds: [uuid, …] }, got ${show(Array.isArray(ids) ? ids.find((id) => !isUuid(id)) : scope)}.`,
  )
}

/** No such job, or none the caller may see. Text that is no uuid names no job either. */
export function jobNotFound(id: unknown): JobNotFoundError {
  return new JobNotFoundError('JOB_NOT_FOUND', `There is no job ${show(id)} that you may see.`)
}
