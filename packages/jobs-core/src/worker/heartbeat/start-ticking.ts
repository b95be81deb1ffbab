import type { Repetition } from '../repeat.ts'
import type { Runtime } from '../runtime.ts'

const tickMs = 250
/** Shorter silences are the ordinary business of an event loop. */
const worthTellingMs = 1_000

/** Lets the heartbeat's thread know that this event loop turns, and says when it stood still. */
export function startTicking({ session, active, emit }: Runtime): Repetition {
  const timer = setInterval(() => {
    const blockedMs = session.memory.tick() - tickMs
    if (blockedMs < worthTellingMs) return
    const jobTypes = new Set([...active.values()].map((run) => run.job.job_type))
    emit({ name: 'loop.blocked', blockedMs, jobTypes: [...jobTypes] })
  }, tickMs)
  return { stop: async () => clearInterval(timer) }
}
