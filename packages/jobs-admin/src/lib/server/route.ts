import type { ChangeWatch } from '@sidelinja/jobs-core/admin'
import type { z } from 'zod'
import type { AdminDatabase } from './admin-database.ts'
import type { Problem } from './http/problem.ts'
import type { ResultViews } from './results/result-views.ts'
import type { EventStreamStart } from './stream/event-stream.ts'

/**
 * What somebody may do: `view` jobs of their collections · `act`, retry and cancel them · `view_raw`, see payloads without anything masked.
 * `act` and `view_raw` do not contain `view`; ask for each.
 */
export type Right = 'view' | 'act' | 'view_raw'

/** Whose tokens an action takes: `single`, about one job · `bulk`, about many · `step`, the next piece of one about many that has begun · `export`, a file. */
export type Bucket = 'single' | 'bulk' | 'step' | 'export'

/** What an endpoint is given. Everything in it has been checked: who asks, that they may, and that the body fits its schema. */
export interface RouteContext<Body = undefined> {
  readonly database: AdminDatabase
  /** Who asks, as the host's `identify` said. */
  readonly userId: string
  /** Parts of the path by the names of the pattern, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The query string; may hold a name twice. */
  readonly query: URLSearchParams
  readonly body: Body
  readonly request: Request
  /** Stands in the host's log beside an error, and in the audit. */
  readonly correlationId: string
  /** Takes a token beside the route's own; the problem where there is none. */
  take(bucket: Bucket): Problem | undefined
  /** Whether this user has a further right; for what an answer holds beside what the route is about. */
  may(right: Right): Promise<boolean>
  /** Counts jobs anew for all who look, if it is time; one count at a time in this process. Never rejects. */
  refreshCounts(): Promise<void>
  /** How results are drawn, by job type. */
  readonly results: ResultViews
  /** Hints that jobs have changed: one connection for this process. */
  readonly changes: ChangeWatch
  /** Tells the host of an error that changes nothing about the answer. */
  report(error: unknown): void
  /** Answers with server-sent events: limited per user and process, heartbeats, closed once the right is gone. */
  openStream(start: EventStreamStart): Response
}

/** An endpoint. Make one with {@link defineRoute}. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** Where `path` begins: below the page's path (`base`, /admin/jobs) or below /intentions. */
  readonly under: 'base' | 'intentions'
  /** Empty, or like `/events` and `/:id/raw`; `:name` is one part of the path. */
  readonly path: string
  readonly right: Right
  readonly bucket?: Bucket
  /** A page has the same path: the endpoint answers only who prefers JSON. */
  readonly hasPage?: boolean
  /** Made with `z.strictObject`. Left out, no body is read. */
  readonly body?: z.ZodType
  /** Errors it throws become problems: see problem-for-error.ts. */
  readonly run: (context: RouteContext<never>) => Promise<Response> | Response
}

type RouteWithBody<Body> = Omit<Route, 'body' | 'run'> & {
  readonly body: z.ZodType<Body>
  readonly run: (context: RouteContext<Body>) => Promise<Response> | Response
}
type RouteWithoutBody = Omit<Route, 'body' | 'run'> & { readonly run: (context: RouteContext) => Promise<Response> | Response }

/** An endpoint whose `context.body` has the type of its schema. */
export function defineRoute<Body>(route: RouteWithBody<Body>): Route
export function defineRoute(route: RouteWithoutBody): Route
export function defineRoute(route: Route): Route {
  return route
}
