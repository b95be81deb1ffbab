import { decideOutcome } from '../policy/outcome.ts'
import { findForgottenRuns, MAX_FORGOTTEN } from '../queue/find-forgotten-runs.ts'
import { forgetStarts } from '../queue/forget-starts.ts'
import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import { settleEndings } from '../queue/settle-endings.ts'
import { type Repetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'

const noteEveryMs = 200
const lookEveryMs = 1_000

/** Knows which of this worker's claims are over for good, so that nobody has to look among them should it die. */
export interface HeldWatch extends Repetition {
  /**
   * Says what is held; call it only while no statement about claims is under way.
   * @param held everything that is claimed and not settled.
   * @param nextClaim the number of the next claim.
   */
  note(held: () => readonly ClaimedJob[], nextClaim: number): void
  /** Says that starts were noted in the database: from now on they are forgotten too. A worker of slow jobs notes none, and has nothing to delete. */
  startsNoted(): void
}

/**
 * A claim is over when the worker holds nothing of it any more, and the database agrees: what runs there all the same is handed back. It would
 * otherwise stay `running`, beyond the reach of those who rescue a dead worker's jobs.
 */
export function startHeldWatch(runtime: Runtime): HeldWatch {
  const { lifeline, session } = runtime
  let notedAt = 0
  let to = 0
  let hasStarts = false
  const looking = repeat(
    lookEveryMs,
    async () => {
      const { memory, id } = session
      const [from, end] = [memory.heldFrom(), to]
      if (from >= end) return
      const forgotten = await findForgottenRuns(lifeline, { workerId: id, from, to: end })
      if (forgotten.length > 0) await handBack(runtime, forgotten)
      if (forgotten.length >= MAX_FORGOTTEN) return
      memory.holdFrom(end)
      if (hasStarts) await forgetStarts(lifeline, { workerId: id, from, to: end })
    },
    // The claim loop and the heartbeat report a database that is away.
    () => {},
  )
  return {
    stop: looking.stop,
    startsNoted() {
      hasStarts = true
    },
    note(held, nextClaim) {
      if (performance.now() - notedAt < noteEveryMs) return
      notedAt = performance.now()
      to = held().reduce((lowest, { claim }) => Math.min(lowest, claim), nextClaim)
    },
  }
}

async function handBack({ queue, emit }: Runtime, forgotten: Awaited<ReturnType<typeof findForgottenRuns>>): Promise<void> {
  const outcome = decideOutcome({ kind: 'interrupted' }, 1, 0)
  const settled = await settleEndings(
    queue,
    forgotten.map(({ id, run }) => ({ id, run, outcome })),
  )
  if (settled.length > 0) emit({ name: 'jobs.forgotten', jobIds: settled.map(({ id }) => id) })
}
