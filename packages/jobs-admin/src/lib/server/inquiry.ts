import type { ChangeWatch } from '@sidelinja/jobs-core/admin'
import type { AdminEvent } from './admin-event.ts'
import type { RequestFacts } from './http/guard.ts'
import type { Problem } from './http/problem.ts'
import { isFault, problemForError } from './http/problem-for-error.ts'
import type { Settings } from './options.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Bucket } from './route.ts'
import type { StreamLimit } from './stream/stream-limit.ts'

/** What all requests share. */
export interface Services<Event extends AdminEvent> {
  settings: Settings<Event>
  limits: Record<Bucket, RateLimit>
  streams: StreamLimit
  /** Aborted when the host stops. */
  stopped: AbortSignal
  changes: ChangeWatch
  /** Counts jobs anew; joins a count that is under way. */
  refreshCounts: () => Promise<unknown>
}

/** One request on its way to an answer. */
export interface Inquiry<Event extends AdminEvent> {
  event: Event
  correlationId: string
  facts: RequestFacts
  services: Services<Event>
}

/** What an answer says about an error; the host is told the rest. */
export function reportedProblem<Event extends AdminEvent>(inquiry: Inquiry<Event>, error: unknown): Problem {
  const problem = problemForError(error, inquiry.correlationId)
  if (isFault(problem)) report(inquiry, error)
  return problem
}

/** Tells the host of an error. A log that fails must not change the answer. */
export function report<Event extends AdminEvent>({ services, correlationId, event }: Inquiry<Event>, error: unknown): void {
  try {
    services.settings.onError(error, { correlationId, event })
  } catch {
    // There is nobody left to tell.
  }
}
