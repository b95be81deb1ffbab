import { JOB_STATUSES, type JobStatus } from '../../database/tables.ts'
import { PermanentError } from '../../errors/permanent-error.ts'
import { isStorableText } from '../../text/is-storable-text.ts'
import { isUuid } from '../../text/is-uuid.ts'
import { show } from '../../text/show.ts'
import { decodeCursor, type Place } from './list-cursor.ts'

/** Which jobs are meant. Each part narrows it down. */
export interface JobFilter {
  /** Only jobs in this state, or in one of these. Default: any. */
  status?: JobStatus | readonly JobStatus[]
  /** Only jobs of this type, or of one of these. Default: any. */
  type?: string | readonly string[]
  /** Only jobs of this collection. One outside the scope has no jobs. Default: all of the scope. */
  collectionNodeId?: string
  /** Only jobs enqueued at or after this moment. */
  createdFrom?: Date
  /** Only jobs enqueued before this moment. */
  createdBefore?: Date
  /** Only failed jobs of this group of errors: see `listErrorGroups`. */
  errorGroup?: string
  /** Only jobs with this id or correlation id, or with these words in their error, upper or lower case. At most 200 characters. */
  search?: string
  /** Only jobs that this user has retried, cancelled or ordered, as named in the audit: those of their last 5,000 actions. */
  actedBy?: string
}

/** Which jobs to list, and from where on. */
export interface ListOptions extends JobFilter {
  /** 1 … 200. Default 50. */
  limit?: number
  /** Where the page before ended: its `nextCursor`. */
  cursor?: string
  /** How many to pass over, 0 … 10,000. Default 0. For further than that there is `cursor`, which costs the same at every depth. */
  offset?: number
}

/** A filter as the parameters of a statement; null: anything. */
export interface FilterParams {
  statuses: readonly JobStatus[] | null
  types: readonly string[] | null
  collection: string | null
  from: Date | null
  before: Date | null
  group: string | null
  /** The search as an id, when it is one. */
  id: string | null
  search: string | null
  actor: string | null
}

export interface ListParams extends FilterParams {
  limit: number
  offset: number
  after: Place | null
}

const maxLimit = 200
const maxOffset = 10_000
const maxTypes = 100

/**
 * Checks everything before any SQL.
 * @throws PermanentError `LIST_LIMIT`, `LIST_OFFSET`, `LIST_STATUS`, `LIST_FILTER`, `CURSOR_INVALID`
 */
export function checkListOptions(options: ListOptions): ListParams {
  const { limit = 50, offset = 0, cursor } = options
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new PermanentError('LIST_LIMIT', `limit must be a whole number from 1 to ${maxLimit}, got ${limit}.`)
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > maxOffset) {
    throw new PermanentError(
      'LIST_OFFSET',
      `offset must be a whole number from 0 to ${maxOffset}, got ${offset}. Use cursor to go further.`,
    )
  }
  return { ...checkFilter(options), limit, offset, after: cursor === undefined ? null : decodeCursor(cursor) }
}

/** @throws PermanentError `LIST_STATUS`, `LIST_FILTER` */
export function checkFilter(filter: JobFilter): FilterParams {
  const statuses = many(filter.status)
  for (const status of statuses ?? []) {
    if (JOB_STATUSES.includes(status)) continue
    throw new PermanentError('LIST_STATUS', `status must be one of ${JOB_STATUSES.join(', ')}, got ${show(status)}.`)
  }
  const types = many(filter.type)
  if (types && (types.length > maxTypes || !types.every((type) => isStorableText(type, 200)))) {
    throw refused(`type to be up to ${maxTypes} texts of 1 to 200 characters`, filter.type)
  }
  const { collectionNodeId, createdFrom, createdBefore, errorGroup, search, actedBy } = filter
  if (collectionNodeId !== undefined && !isUuid(collectionNodeId)) throw refused('collectionNodeId to be a uuid', collectionNodeId)
  for (const [name, time] of Object.entries({ createdFrom, createdBefore })) {
    if (time !== undefined && !isMoment(time)) throw refused(`${name} to be a Date`, time)
  }
  if (errorGroup !== undefined && !/^[0-9a-f]{1,64}$/.test(errorGroup))
    throw refused('errorGroup to be a group of listErrorGroups', errorGroup)
  if (search !== undefined && !isStorableText(search, 200)) throw refused('search to be 1 to 200 characters', search)
  if (actedBy !== undefined && !isStorableText(actedBy, 200)) throw refused('actedBy to be 1 to 200 characters', actedBy)
  return {
    statuses,
    types,
    collection: collectionNodeId ?? null,
    from: createdFrom ?? null,
    before: createdBefore ?? null,
    group: errorGroup ?? null,
    id: search !== undefined && isUuid(search) ? search : null,
    search: search ?? null,
    actor: actedBy ?? null,
  }
}

function many<T>(value: T | readonly T[] | undefined): readonly T[] | null {
  if (value === undefined) return null
  return Array.isArray(value) ? value : [value as T]
}

function isMoment(value: unknown): boolean {
  return value instanceof Date && Math.abs(value.getTime()) < 8e15
}

function refused(expected: string, got: unknown): PermanentError {
  return new PermanentError('LIST_FILTER', `Expected ${expected}, got ${show(got)}.`)
}
