import type { ProblemBody, Source } from '../wire/page-data.ts'

/** What asking again came to. */
export type Fetched =
  | { kind: 'same' }
  | { kind: 'new'; body: unknown; etag: string | null; problem: ProblemBody | null }
  | { kind: 'refused'; code: 'NOT_SIGNED_IN' | 'NOT_ALLOWED' }
  | { kind: 'away' }

const timeoutMs = 10_000

/** Asks an endpoint whether its answer has changed. Throws nothing. */
export async function fetchSource({ path, etag }: Pick<Source<unknown>, 'path' | 'etag'>): Promise<Fetched> {
  try {
    const headers = { accept: 'application/json', ...(etag !== null && { 'if-none-match': etag }) }
    const response = await fetch(path, { headers, cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
    if (response.status === 304) return { kind: 'same' }
    if (response.status === 401) return { kind: 'refused', code: 'NOT_SIGNED_IN' }
    if (response.status === 403) return { kind: 'refused', code: 'NOT_ALLOWED' }
    if (response.status === 429 || response.status >= 500) return { kind: 'away' }
    const body: unknown = await response.json()
    const problem = response.ok ? null : (body as ProblemBody)
    return { kind: 'new', body, etag: response.headers.get('etag'), problem }
  } catch {
    return { kind: 'away' }
  }
}
