import { PermanentError } from '@sidelinja/jobs-core'
import type { JobFilter } from '@sidelinja/jobs-core/admin'

/**
 * The query string of a list, checked for names that are not known: a filter that is misspelt must not show everything.
 * @throws PermanentError `LIST_FILTER`
 */
export function refuseUnknown(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (known.includes(name)) continue
    throw new PermanentError(
      'LIST_FILTER',
      `There is no parameter ${JSON.stringify(name.slice(0, 60))} here; there are ${known.join(', ')}.`,
    )
  }
}

/** The names of {@link readFilter}. */
export const filterNames = ['status', 'type', 'collection_id', 'created_from', 'created_before', 'error_group', 'search', 'mine'] as const

/**
 * A filter out of a query string, of the user who asks. Empty parameters count as left out: an empty field of a form is no filter.
 * @throws PermanentError `LIST_FILTER`
 */
export function readFilter(query: URLSearchParams, userId: string): JobFilter {
  const mine = one(query, 'mine')
  if (mine !== undefined && mine !== 'true') throw new PermanentError('LIST_FILTER', 'Expected mine to be true, or left out.')
  return {
    ...present('status', many(query, 'status')),
    ...present('type', many(query, 'type')),
    ...present('collectionNodeId', one(query, 'collection_id')),
    ...present('createdFrom', time(query, 'created_from')),
    ...present('createdBefore', time(query, 'created_before')),
    ...present('errorGroup', one(query, 'error_group')),
    ...present('search', one(query, 'search')),
    ...present('actedBy', mine && userId),
  } as JobFilter
}

const maxIds = 200

/**
 * Ids of jobs: `ids`, repeated or with commas.
 * @throws PermanentError `LIST_FILTER`
 */
export function readIds(query: URLSearchParams): string[] {
  const ids = many(query, 'ids') ?? []
  const stranger = ids.find((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
  if (stranger === undefined && ids.length <= maxIds) return [...new Set(ids.map((id) => id.toLowerCase()))]
  throw new PermanentError('LIST_FILTER', `Expected ids to be up to ${maxIds} uuids with commas, got ${ids.length}.`)
}

/** One value; undefined when it is missing or empty. */
export function one(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) || undefined
}

/**
 * A whole number; undefined when it is missing or empty.
 * @throws PermanentError `LIST_LIMIT`, `LIST_OFFSET` through the statement, which is given NaN for what is none
 */
export function whole(query: URLSearchParams, name: string): number | undefined {
  const text = one(query, name)
  if (text === undefined) return undefined
  return /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

/** Several values: the parameter repeated, or with commas. */
function many(query: URLSearchParams, name: string): string[] | undefined {
  const values = query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '')
  return values.length > 0 ? values : undefined
}

/** A day, or a time with its zone; anything else, and days that do not exist, become an invalid Date, which the statement refuses by name. */
function time(query: URLSearchParams, name: string): Date | undefined {
  const text = one(query, name)
  if (text === undefined) return undefined
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? []
  const exists = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  return new Date(exists ? text : Number.NaN)
}

/** A key only where there is a value. */
export function present<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }
}
