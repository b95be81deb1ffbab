import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a group of a collection's failed jobs has not grown since it was set aside: no more than `more` new ones. Where all that was looked at is new, nobody knows how many there are, and it has.
 * @param part has `new_jobs`.
 */
export function isAside(part: RawBuilder<unknown>, more: RawBuilder<unknown>, window: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${part}.new_jobs <= ${more} and ${part}.new_jobs < ${window}`
}
