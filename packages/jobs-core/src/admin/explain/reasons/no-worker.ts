import type { Rule } from '../reason.ts'
import { counted, elapsed, moment } from '../words.ts'
import { waits } from './not-due.ts'

/** No worker that is alive and goes on claiming has its type. */
export const noWorker: Rule = (snapshot) => {
  const { job, workers, now } = snapshot
  if (!waits(snapshot) || workers.some((worker) => worker.alive && !worker.draining)) return undefined
  const facts = { type: job.type, workers: workers.length }
  if (workers.length === 0) return { code: 'NO_WORKER', sentence: `No worker has its type, ${job.type}.`, facts: { type: job.type } }
  const alive = workers.filter((worker) => worker.alive)
  if (alive.length > 0) {
    return {
      code: 'WORKERS_DRAINING',
      sentence: `The only ${counted(alive.length, 'worker')} with its type, ${job.type}, ${alive.length === 1 ? 'is' : 'are'} stopping.`,
      facts: { ...facts, draining: alive.length },
    }
  }
  const lastHeartbeatAt = Math.max(...workers.map((worker) => worker.heartbeatAt))
  return {
    code: 'WORKERS_LOST',
    sentence: `The lease of the only ${counted(workers.length, 'worker')} with its type, ${job.type}, has run out; the last heartbeat came ${elapsed(now - lastHeartbeatAt)} ago.`,
    facts: { ...facts, lastHeartbeatAt: moment(lastHeartbeatAt) },
  }
}
