import type { ProblemBody } from '../../page/wire/page-data.ts'
import type { AdminEvent } from '../admin-event.ts'
import { admit, isProblem, refuseTooMany } from '../admit.ts'
import { contextOf } from '../answer-endpoint.ts'
import type { Problem } from '../http/problem.ts'
import { type Inquiry, reportedProblem } from '../inquiry.ts'
import { matchRoute } from '../match-route.ts'
import type { Route, RouteContext } from '../route.ts'

/** What the page asks of an endpoint. */
export interface Question {
  method: 'GET' | 'POST'
  under: 'base' | 'intentions'
  path: string
  query?: URLSearchParams
  body?: unknown
}

/** What it came to. */
export type Reply = { body: unknown; etag: string | null } | { problem: ProblemBody }

/**
 * Asks an endpoint as the page: the same function that answers JSON, for the same user, with the same right. What would be an error there is a
 * problem here; nothing is thrown.
 */
export async function askRoute<Event extends AdminEvent>(
  inquiry: Inquiry<Event>,
  routes: readonly Route[],
  question: Question,
): Promise<Reply> {
  try {
    const { mounts } = inquiry.services.settings
    const pathname = `${mounts[question.under]}${question.path}`
    const match = matchRoute(routes, mounts, { method: question.method, pathname, accept: 'application/json', routeId: null })
    if (match.kind !== 'endpoint') return refused({ status: 404, code: 'NOT_FOUND', detail: 'There is no such page.' })
    return await run(inquiry, match, question)
  } catch (error) {
    return refused(reportedProblem(inquiry, error))
  }
}

async function run<Event extends AdminEvent>(
  inquiry: Inquiry<Event>,
  found: { route: Route; params: Record<string, string> },
  { query = new URLSearchParams(), body }: Question,
): Promise<Reply> {
  const identity = await admit(inquiry, found.route.right)
  if (isProblem(identity)) return refused(identity)
  // Of an action the handle has taken one.
  const tooMany = found.route.method === 'GET' && found.route.bucket && refuseTooMany(inquiry, found.route.bucket, identity)
  if (tooMany) return refused(tooMany)
  const parsed = found.route.body?.safeParse(body)
  if (parsed && !parsed.success) {
    const [issue] = parsed.error.issues
    return refused({ status: 400, code: 'BODY_INVALID', detail: `${issue?.path.join('.') || 'The form'}: ${issue?.message ?? 'invalid'}.` })
  }
  // Not the page's own request: its If-None-Match is about the page.
  const request = new Request(inquiry.event.url, { signal: inquiry.event.request.signal })
  const context = { ...contextOf(inquiry, found, identity, parsed?.data), query, request }
  const response = await found.route.run(context as RouteContext<never>)
  const answer: unknown = await response.json()
  return response.ok ? { body: answer, etag: response.headers.get('etag') } : { problem: answer as ProblemBody }
}

function refused({ status, code, detail, correlationId }: Problem): Reply {
  return { problem: { status, code, detail, ...(correlationId !== undefined && { correlation_id: correlationId }) } }
}
