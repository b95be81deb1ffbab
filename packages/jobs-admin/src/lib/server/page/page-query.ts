import { fromLocalTime } from './local-time.ts'

/** What the page itself reads out of its query, and no endpoint knows. */
const ofPage = new Set(['confirm', 'since', 'columns'])
/** What others put behind a link to the page, to count who follows it. */
const tracking = /^(utm_\w+|fbclid|gclid)$/
const spans: Readonly<Record<string, number>> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000, '30d': 2_592_000_000 }

/**
 * The query of the page in the words of its endpoint: without what is empty, what only the page understands and what counts who followed a link; a span as a moment, and a time without an offset
 * as one in the reader's zone. Pure. What the endpoint does not know stays, so that it is refused: a misspelt filter must not show everything.
 */
export function endpointQuery(query: URLSearchParams, { now, timeZone }: { now: number; timeZone: string }): URLSearchParams {
  const result = new URLSearchParams()
  for (const [name, value] of query) {
    if (value === '' || ofPage.has(name) || tracking.test(name) || name.startsWith('set_') || name.startsWith('/')) continue
    result.append(name, name.startsWith('created_') ? fromLocalTime(value, timeZone) : value)
  }
  const span = spans[query.get('since') ?? '']
  if (span !== undefined && !result.has('created_from')) {
    // To the minute: the same list has the same address for a while, and its ETag can match.
    result.set('created_from', new Date(Math.floor((now - span) / 60_000) * 60_000).toISOString())
  }
  return result
}
