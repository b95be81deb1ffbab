import type { QueueConnection } from '../../database/queue-connection.ts'
import { isConnectionLoss } from '../../database/sql-state.ts'
import { addActivity } from '../../queue/add-activity.ts'
import { forgetActivity } from '../../queue/forget-activity.ts'
import type { OnWorkerEvent } from '../events.ts'
import { type Repetition, repeat } from '../repeat.ts'
import { createTally, type Tally } from './tally.ts'

const flushEveryMs = 5_000
/** Of that many flushes one also forgets: about every ten minutes. */
const forgetEvery = 120

/** Counts what this worker's jobs come to, for whoever draws it. */
export interface ActivityCount extends Repetition {
  /** The same listener, and a count of each event that tells of an end. */
  before(listener: OnWorkerEvent): OnWorkerEvent
  readonly failed: Tally['failed']
}

/**
 * Counts in memory and says it every five seconds in one statement, so that the statements that claim and settle carry nothing of it. Where nothing has ended,
 * nothing is said. These are statistics: what was under way when a connection broke is not said again, since it may have been heard.
 */
export function startActivity(queue: QueueConnection, session: { lost: AbortSignal }, everyMs = flushEveryMs): ActivityCount {
  const tally = createTally()
  // Not all workers of a machine that was just started at once.
  let flushes = Math.floor(Math.random() * forgetEvery)

  async function flush(): Promise<void> {
    const counted = tally.take()
    if (counted.length === 0) return
    try {
      await addActivity(queue, counted)
    } catch (error) {
      if (!isConnectionLoss(error)) tally.add(counted)
      throw error
    }
  }

  const flushing = repeat(
    everyMs,
    async () => {
      await flush()
      if (++flushes % forgetEvery === 0) await forgetActivity(queue)
    },
    // The claim loop reports a database that is away.
    () => {},
  )
  return {
    before: (listener) => (event) => {
      tally.count(event)
      listener(event)
    },
    failed: tally.failed,
    async stop() {
      await flushing.stop()
      if (!session.lost.aborted) await flush().catch(() => {})
    },
  }
}
