import { findCancelRequests } from '../queue/find-cancel-requests.ts'
import { type HurriedRepetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'

/** Whoever cancels a running job notifies; this is the net underneath, so that it takes less than a second also where nobody listens. */
const maxIntervalMs = 500

/**
 * Looks, while something runs, whether somebody wants a running job stopped: when it is told to, and at every poll interval but at least twice a
 * second. On the heartbeat's connection, since settles that wait for somebody's lock may keep the others busy.
 */
export function startCancelWatch(runtime: Runtime): HurriedRepetition {
  const { lifeline, active, settings } = runtime
  return repeat(
    Math.min(settings.pollIntervalMs, maxIntervalMs),
    async () => {
      for (const request of await findCancelRequests(lifeline, [...active.keys()])) {
        const run = active.get(request.id)
        if (run?.job.run === request.run) run.abort('cancelled')
      }
    },
    // The claim loop and the heartbeat report a database that is away.
    () => {},
  )
}
