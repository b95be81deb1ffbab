import { filterQuery } from './filters.ts'
import type { BulkBody } from './wire/more-bodies.ts'

/**
 * Where a bulk action stands: `asked`, nothing has begun · `doing`, this page carries it on · `paused`, begun and nobody does · `done`, all of it ·
 * `partly`, over, and some jobs could not be changed · `stopped`, by somebody, in the middle · `dropped`, before it began.
 */
export type BulkState = 'asked' | 'doing' | 'paused' | 'done' | 'partly' | 'stopped' | 'dropped'

/** Where it stands. Pure. */
export function bulkState(bulk: BulkBody, isGoing: boolean): BulkState {
  if (bulk.finished_at !== null) return changedBy(bulk) === bulk.jobs ? 'done' : 'partly'
  if (bulk.aborted_at !== null) return bulk.started_at === null ? 'dropped' : 'stopped'
  if (isGoing) return 'doing'
  return bulk.started_at === null ? 'asked' : 'paused'
}

/** How many jobs it has changed, or asked to stop. Pure. */
export function changedBy({ outcomes }: Pick<BulkBody, 'outcomes'>): number {
  return (outcomes.applied ?? 0) + (outcomes.requested ?? 0)
}

/** The query of the list that an action's filter came from, to find those that are left. Pure. */
export function queryOfBulk({ filter }: Pick<BulkBody, 'filter'>): string {
  const given = (filter ?? {}) as Readonly<Record<string, unknown>>
  const many = (name: string) => [given[name] ?? []].flat().map(String)
  const one = (name: string) => (typeof given[name] === 'string' ? given[name] : '')
  const query = filterQuery({
    ...{ status: many('status') as never, type: many('type'), collection_id: one('collection_id'), error_group: one('error_group') },
    ...{ created_from: one('created_from'), created_before: one('created_before'), search: one('search') },
    // Whose actions are meant can only be one's own.
    mine: one('acted_by') === '' ? '' : 'true',
  })
  return query.replace(/^\?/, '')
}
