import type { Rule } from '../reason.ts'
import { counted } from '../words.ts'
import { waits } from './not-due.ts'

/** Every worker that could take it has all its slots full. */
export const workersBusy: Rule = (snapshot) => {
  const able = snapshot.workers.filter((worker) => worker.alive && !worker.draining)
  if (!waits(snapshot) || able.length === 0 || able.some((worker) => worker.running < worker.slots)) return undefined
  const slots = able.reduce((sum, worker) => sum + worker.slots, 0)
  return {
    code: 'WORKERS_BUSY',
    sentence: `Every slot of the ${counted(able.length, 'worker')} with its type is taken: ${counted(slots, 'slot')}.`,
    facts: { workers: able.length, slots },
  }
}
