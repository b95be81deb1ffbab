import { type History, isExit, type Violation } from '../history/history.ts'

/** I6: no job stays `running` under a dead lease for more than two looks at the dead, outages not counted. */
export function nothingStaysRunning(history: History): Violation[] {
  const expiry = new Map(history.deaths.map(({ worker, leaseExpiresAt }) => [worker, leaseExpiresAt]))
  const boundMs = 2 * history.rescueIntervalMs + history.slackMs
  const left = history.jobs.filter(({ status }) => status === 'running').map(({ id }) => ({ job: id, text: 'runs still' }))
  const late = history.changes.filter(isExit).flatMap((change) => {
    const expiredAt = change.worker === null ? expiry.get(change.oldWorker ?? '') : undefined
    if (expiredAt === undefined) return []
    const lateMs = change.at - expiredAt - awayMs(history.outages, expiredAt, change.at)
    return lateMs > boundMs ? [{ job: change.job, text: `was taken back ${Math.round(lateMs)} ms after its lease was over` }] : []
  })
  return [...left, ...late].map((violation) => ({ invariant: 'I6', ...violation }))
}

/** How much of the time from `from` to `to` the database was away. */
function awayMs(outages: History['outages'], from: number, to: number): number {
  return outages.reduce((sum, [begin, end]) => sum + Math.max(0, Math.min(end, to) - Math.max(begin, from)), 0)
}
