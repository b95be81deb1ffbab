import { findCancelRequests } from '../queue/find-cancel-requests.ts'
import { type Repetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'

/** Looks at every poll interval, while something runs, whether somebody wants a running job stopped. */
export function startCancelWatch(runtime: Runtime): Repetition {
  const { queue, active, settings } = runtime
  return repeat(
    settings.pollIntervalMs,
    async () => {
      for (const request of await findCancelRequests(queue, [...active.keys()])) {
        const run = active.get(request.id)
        if (run?.job.run === request.run) run.abort('cancelled')
      }
    },
    // The claim loop and the heartbeat report a database that is away.
    () => {},
  )
}
