import { setTimeout as sleep } from 'node:timers/promises'
import type { Arena } from '../arena/arena.ts'
import { haveWorkers } from '../arena/keep-workers.ts'
import { untilReady } from '../arena/until.ts'
import type { Fault } from './fault.ts'

const fleet = 4
/** The others go on meanwhile. */
const atOnce = 2

export const pause: Fault = {
  name: 'pause',
  title: 'SIGSTOP longer than the lease, then SIGCONT',
  full: { jobs: 3_000, faults: 50 },
  short: { jobs: 100, faults: 2 },
  async run(arena, { jobs, faults }) {
    await haveWorkers(arena, fleet)
    for (let done = 0; done < faults; done += atOnce) {
      const load = arena.workload.add((jobs / faults) * atOnce)
      const ready = await untilReady(arena, fleet)
      const first = arena.random.between(0, fleet - 1)
      const stopped = Array.from({ length: Math.min(atOnce, faults - done) }, (_, index) => ready[(first + index) % fleet])
      await Promise.all([load, ...stopped.map((worker) => worker && stopAndGoOn(arena, worker))])
    }
    return faults
  },
}

async function stopAndGoOn({ times, random, signal }: Arena, worker: { signal(name: NodeJS.Signals): void }): Promise<void> {
  await sleep(random.between(50, 300), undefined, { signal })
  worker.signal('SIGSTOP')
  // Lease, the look at the dead, and some more.
  await sleep(times.leaseMs + times.pollIntervalMs * 3 + random.between(0, 500), undefined, { signal })
  worker.signal('SIGCONT')
}
