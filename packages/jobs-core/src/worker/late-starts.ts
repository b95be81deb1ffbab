import { showStarted } from '../queue/show-started.ts'
import type { ActiveRun } from './active-run.ts'
import { type Repetition, repeat } from './repeat.ts'
import type { Runtime } from './runtime.ts'

/** A job that has run this long is no short one: people look at it. */
const lateMs = 1_000

/**
 * Jobs claimed ahead are cleared to start many at a time, in one row beside theirs; those of them that run on say so in their own row
 * too, where lists and counts look.
 */
export function startLateStarts({ active, lifeline }: Runtime): Repetition {
  const shown = new WeakSet<ActiveRun>()
  return repeat(
    lateMs,
    async () => {
      const now = performance.now()
      const late = [...active.values()].filter((run) => run.job.prefetched && now - run.startedAt >= lateMs && !shown.has(run))
      if (late.length === 0) return
      await showStarted(
        lifeline,
        late.map(({ job }) => job),
      )
      for (const run of late) shown.add(run)
    },
    // The claim loop and the heartbeat report a database that is away.
    () => {},
  )
}
