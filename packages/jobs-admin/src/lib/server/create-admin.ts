import { randomUUID } from 'node:crypto'
import { refreshCounts, watchChanges } from '@sidelinja/jobs-core/admin'
import type { AdminEvent, AdminHandle } from './admin-event.ts'
import { answerEndpoint } from './answer-endpoint.ts'
import { answerPage } from './answer-page.ts'
import { type Problem, problemResponse } from './http/problem.ts'
import { secureData } from './http/security-headers.ts'
import { type Inquiry, reportedProblem, type Services } from './inquiry.ts'
import { matchRoute } from './match-route.ts'
import { checkOptions, type JobsAdminOptions } from './options.ts'
import { createPage } from './page/create-page.ts'
import type { JobsPage } from './page/page-types.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Route } from './route.ts'
import { createStreamLimit } from './stream/stream-limit.ts'

/** A mounted admin page. */
export interface JobsAdmin<Event extends AdminEvent> {
  /** Answers what is below `base` and `intentions`; everything else goes on to SvelteKit. Put it after the session's own handle. */
  handle: AdminHandle<Event>
  /** For `+page.server.ts` of a route `[...path]` at `base`: `export const { load, actions } = jobs.page`. */
  page: JobsPage<Event>
  /** Ends all open event streams and the connection they listen on: for the host's stop. Requests are still answered. */
  close(): Promise<void>
}

/** The admin page with other endpoints than its own: what its tests mount. */
export function createAdmin<Event extends AdminEvent>(options: JobsAdminOptions<Event>, routes: readonly Route[]): JobsAdmin<Event> {
  const settings = checkOptions(options)
  const stopped = new AbortController()
  const services: Services<Event> = {
    settings,
    stopped: stopped.signal,
    limits: {
      single: createRateLimit({ perMinute: settings.actionsPerMinute.single }),
      bulk: createRateLimit({ perMinute: settings.actionsPerMinute.bulk }),
      step: createRateLimit({ perMinute: settings.actionsPerMinute.step }),
      export: createRateLimit({ perMinute: settings.actionsPerMinute.export }),
    },
    streams: createStreamLimit(settings.streams),
    changes: watchChanges(settings.database),
    refreshCounts: shared(() => refreshCounts(settings.database.db)),
  }
  const inquire = (event: Event): Inquiry<Event> => ({
    event,
    correlationId: randomUUID(),
    facts: { method: event.request.method, headers: event.request.headers, ownOrigin: settings.origin ?? event.url.origin },
    services,
  })
  const statuses = new WeakMap<Request, number>()
  return {
    page: createPage({ inquire, routes, noteStatus: (request, status) => void statuses.set(request, status) }),
    async handle({ event, resolve }) {
      const { request, url, route } = event
      const asked = { method: request.method, pathname: url.pathname, accept: request.headers.get('accept'), routeId: route.id }
      const match = matchRoute(routes, settings.mounts, asked)
      if (match.kind === 'elsewhere') return resolve(event)
      const inquiry = inquire(event)
      if (match.kind === 'page') return answerPage(inquiry, resolve, () => statuses.get(request))
      return secureData(
        await answer(inquiry, async () => (match.kind === 'endpoint' ? answerEndpoint(inquiry, match) : wrongMethod(match.allow))),
      )
    },
    async close() {
      stopped.abort()
      await services.changes.close()
    },
  }
}

/** What an endpoint throws becomes a problem, and the host learns of it where the problem does not say what it was. */
async function answer<Event extends AdminEvent>(inquiry: Inquiry<Event>, run: () => Promise<Response | Problem>): Promise<Response> {
  try {
    const result = await run()
    return result instanceof Response ? result : problemResponse(result)
  } catch (error) {
    return problemResponse(reportedProblem(inquiry, error))
  }
}

function wrongMethod(allow: readonly string[]): Problem {
  return { status: 405, code: 'METHOD_NOT_ALLOWED', detail: `Here is only ${allow.join(' and ')}.`, allow }
}

/** Whoever calls while it runs waits for that run. */
function shared<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
