import { STATUSES, type Status } from './wire/bodies.ts'

/** The list's filter, as it stands in the address. */
export interface Filter {
  status: readonly Status[]
  type: readonly string[]
  collection_id: string
  created_from: string
  created_before: string
  since: string
  error_group: string
  search: string
  /** `true`, or empty. */
  mine: string
}

/** Names of the filter's parts, in the order in which they are shown. */
export const filterParts = [
  'status',
  'type',
  'collection_id',
  'since',
  'created_from',
  'created_before',
  'error_group',
  'search',
  'mine',
] as const
/** A part of the filter. */
export type FilterPart = (typeof filterParts)[number]
/** Spans of time that a filter knows. */
export const SPANS = ['1h', '24h', '7d', '30d'] as const

/** Reads a query string. What it holds beside the filter is left alone. Pure. */
export function readFilter(query: string): Filter {
  const given = new URLSearchParams(query)
  const many = (name: string) =>
    given
      .getAll(name)
      .flatMap((value) => value.split(','))
      .filter((value) => value !== '')
  const one = (name: string) => given.get(name) ?? ''
  return {
    status: STATUSES.filter((status) => many('status').includes(status)),
    type: [...new Set(many('type'))],
    collection_id: one('collection_id'),
    created_from: one('created_from'),
    created_before: one('created_before'),
    since: SPANS.find((span) => span === one('since')) ?? '',
    error_group: one('error_group'),
    search: one('search'),
    mine: one('mine') === 'true' ? 'true' : '',
  }
}

/** The parts that narrow it down. Pure. */
export function activeParts(filter: Filter): FilterPart[] {
  return filterParts.filter((part) => filter[part].length > 0)
}

/** The address of a filter. A new filter begins at its first page. Pure. */
export function filterQuery(filter: Partial<Filter>): string {
  const query = new URLSearchParams()
  for (const part of filterParts) {
    const value = filter[part]
    if (typeof value === 'string') {
      if (value !== '') query.set(part, value)
    } else if (value && value.length > 0) query.set(part, value.join(','))
  }
  // Commas need no escape in a query, and are read more easily without.
  const text = query.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

/** The filter with one part, or one value of it, taken away. Pure. */
export function without(filter: Filter, part: FilterPart, value?: string): Filter {
  const now = filter[part]
  if (typeof now === 'string' || value === undefined) return { ...filter, [part]: typeof now === 'string' ? '' : [] }
  return { ...filter, [part]: now.filter((found) => found !== value) }
}

/** The next page of the same list. Pure. */
export function nextPageQuery(query: string, cursor: string): string {
  const next = new URLSearchParams(query)
  next.delete('offset')
  next.set('cursor', cursor)
  return `?${next}`
}
