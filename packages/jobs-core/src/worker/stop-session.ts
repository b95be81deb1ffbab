import { deregisterWorker } from '../queue/deregister-worker.ts'
import { ABORT_GRACE_MS } from './active-run.ts'
import type { ClaimLoop } from './claim-loop.ts'
import type { Completions } from './completions.ts'
import { type Deadline, within } from './deadline.ts'
import type { Repetition } from './repeat.ts'
import type { Runtime } from './runtime.ts'
import { flush } from './settle-batch.ts'
import type { Slots } from './slots.ts'

/*
 * How long each part may take while the database does not answer. Together with closing the connections: five seconds after the drain.
 */
const drainMarkMs = 500
const handlersMs = ABORT_GRACE_MS + 500
const leaveMs = 1_500

interface Parts {
  runtime: Runtime
  slots: Slots
  /** Undefined in a worker without handlers. */
  claims: ClaimLoop | undefined
  completions: Completions
  background: readonly Repetition[]
  /** When the drain is over. */
  deadline: Deadline
}

/** Claims nothing more, lets running jobs finish until the deadline, aborts the rest, settles everything and deregisters. */
export async function stopSession({ runtime, slots, claims, completions, background, deadline }: Parts): Promise<void> {
  const { session, queue, emit } = runtime
  emit({ name: 'worker.draining', running: slots.running() })
  if (claims) await within(drainMarkMs, claims.drain())
  const done = slots.idle()
  await deadline.race(done)
  for (const run of runtime.active.values()) run.abort('stopping')
  await within(handlersMs, done)
  // Not for ever: the database may be away, or somebody hold a lock. What is left is rescued as from a dead worker.
  await within(leaveMs, settleRest().then(leave))
  session.lose()

  async function settleRest(): Promise<void> {
    await claims?.stop()
    await flush(runtime, completions)
  }

  async function leave(): Promise<void> {
    await Promise.all(background.map((part) => part.stop()))
    await deregisterWorker(queue, session.id).catch(() => {})
  }
}
