import type { BulkBody } from '../wire/more-bodies.ts'
import type { ProblemBody } from '../wire/page-data.ts'

/** What one step of a bulk action came to. `later`: nothing was refused for good, so it may be tried again. */
export type BulkStep =
  | { kind: 'went'; body: BulkBody }
  | { kind: 'later'; problem: ProblemBody; afterMs: number | null }
  | { kind: 'refused'; problem: ProblemBody }

const timeoutMs = 15_000
const noAnswer: ProblemBody = { status: 503, code: 'DATABASE_AWAY', detail: 'No answer came.' }

/** Asks the server to go on with a bulk action for a second or two. Throws nothing. */
export async function stepBulk(intentions: string, bulkId: string, stopped: AbortSignal): Promise<BulkStep> {
  try {
    const response = await fetch(`${intentions}/run_bulk`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ bulk_id: bulkId }),
      cache: 'no-store',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]),
    })
    const body: unknown = await response.json()
    if (response.ok) return { kind: 'went', body: body as BulkBody }
    const problem = body as ProblemBody
    if (response.status !== 429 && response.status < 500) return { kind: 'refused', problem }
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return { kind: 'later', problem, afterMs: Number.isFinite(seconds) ? seconds * 1_000 : null }
  } catch {
    return { kind: 'later', problem: noAnswer, afterMs: null }
  }
}
