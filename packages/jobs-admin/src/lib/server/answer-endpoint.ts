import type { AdminEvent } from './admin-event.ts'
import { admit, isAuthorized, isProblem, refuseForeign, refuseTooMany } from './admit.ts'
import { type Problem, problemResponse } from './http/problem.ts'
import { readJsonBody } from './http/read-json-body.ts'
import { type Inquiry, report } from './inquiry.ts'
import type { Identity } from './options.ts'
import type { Route, RouteContext } from './route.ts'
import { type EventStreamStart, eventStream } from './stream/event-stream.ts'

interface Found {
  route: Route
  params: Record<string, string>
}

/** From a request to the endpoint's answer: who sent it, who asks, whether they may, how often, with what. Throws what the endpoint throws. */
export async function answerEndpoint<Event extends AdminEvent>(inquiry: Inquiry<Event>, found: Found): Promise<Response | Problem> {
  const { route } = found
  const foreign = refuseForeign(inquiry, 'json')
  if (foreign) return foreign
  const identity = await admit(inquiry, route.right)
  if (isProblem(identity)) return identity
  const tooMany = route.bucket && refuseTooMany(inquiry, route.bucket, identity)
  if (tooMany) return tooMany
  const body = await readBodyOf(inquiry, route)
  if ('problem' in body) return body.problem
  const response = await route.run(contextOf(inquiry, found, identity, body.value) as RouteContext<never>)
  return inquiry.facts.method === 'HEAD' ? withoutBody(response) : response
}

async function readBodyOf<Event extends AdminEvent>({ event }: Inquiry<Event>, { body }: Route) {
  return body ? readJsonBody(event.request, body) : { value: undefined }
}

/** What an endpoint is given, once it is known who asks. */
export function contextOf<Event extends AdminEvent>(
  inquiry: Inquiry<Event>,
  { route, params }: Found,
  identity: Identity,
  body: unknown,
): RouteContext<unknown> {
  const { event, correlationId, services } = inquiry
  return {
    database: services.settings.database,
    userId: identity.userId,
    params,
    query: event.url.searchParams,
    body,
    request: event.request,
    correlationId,
    results: services.settings.results,
    changes: services.changes,
    report: (error) => report(inquiry, error),
    async refreshCounts() {
      await services.refreshCounts().catch((error) => report(inquiry, error))
    },
    take: (bucket) => refuseTooMany(inquiry, bucket, identity),
    may: (right) => isAuthorized(inquiry, identity, right),
    openStream: (start) => openStream(inquiry, route, identity, start),
  }
}

function openStream<Event extends AdminEvent>(
  inquiry: Inquiry<Event>,
  { right }: Route,
  { userId }: Identity,
  onOpen: EventStreamStart,
): Response {
  const place = inquiry.services.streams.take(userId)
  if ('full' in place) return problemResponse(noPlace(place.full))
  const stillAllowed = async () => {
    const now = await admit(inquiry, right)
    return !isProblem(now) && now.userId === userId
  }
  return eventStream({
    signal: inquiry.event.request.signal,
    stopped: inquiry.services.stopped,
    stillAllowed,
    onOpen,
    onClose: place.release,
    onError: (error) => report(inquiry, error),
  })
}

function noPlace(full: 'user' | 'process'): Problem {
  const retryAfterSeconds = 30
  if (full === 'user') return { status: 429, code: 'TOO_MANY_STREAMS', detail: 'You have too many pages open at once.', retryAfterSeconds }
  return { status: 503, code: 'STREAMS_FULL', detail: 'Too many pages are open just now. Ask again and again instead.', retryAfterSeconds }
}

function withoutBody(response: Response): Response {
  response.body?.cancel().catch(() => {})
  return new Response(null, { status: response.status, headers: response.headers })
}
