import type { Rule } from '../reason.ts'
import type { Snapshot } from '../snapshot.ts'
import { elapsed, moment } from '../words.ts'

/** Some worker has it. */
export const running: Rule = ({ job, runner, now }) => {
  if (job.status !== 'running') return undefined
  const startedAt = job.startedAt ?? now
  const where = { host: runner?.host ?? null, pid: runner?.pid ?? null, since: moment(startedAt) }
  const place = placeOf(runner)
  if (!runner?.alive) {
    const silentMs = runner?.silentMs ?? null
    const silence = silentMs === null ? 'has no row any more' : `has been silent for ${elapsed(silentMs)}`
    return {
      code: 'RUNNER_LOST',
      sentence: `It ran ${place} and that worker ${silence}: its jobs are taken back when another worker looks.`,
      facts: { ...where, silentMs },
    }
  }
  if (job.prefetched) {
    return { code: 'CLAIMED_AHEAD', sentence: `A worker ${place} has claimed it and starts it in a moment.`, facts: where }
  }
  return {
    code: 'RUNNING',
    sentence: `It has been running ${place} for ${elapsed(now - startedAt)}.`,
    facts: { ...where, attempt: job.attempts },
  }
}

/** Users are not told of machines: for them both are null. */
function placeOf(runner: Snapshot['runner']): string {
  if (!runner) return 'somewhere'
  if (runner.host === null && runner.pid === null) return 'in some worker'
  return `on ${runner.host ?? 'a machine without a name'}, process ${runner.pid ?? 'unknown'},`
}
