import { setTimeout as sleep } from 'node:timers/promises'
import { haveWorkers, keepWorkers } from '../arena/keep-workers.ts'
import { untilReady } from '../arena/until.ts'
import type { Fault } from './fault.ts'

const fleet = 4

export const killRandom: Fault = {
  name: 'kill-random',
  title: 'kill -9 at random',
  full: { jobs: 10_000, faults: 200 },
  short: { jobs: 300, faults: 6 },
  async run(arena, { jobs, faults }) {
    await haveWorkers(arena, fleet)
    for (let kill = 0; kill < faults; kill++) {
      await arena.workload.add(jobs / faults)
      await sleep(arena.random.between(50, 400), undefined, { signal: arena.signal })
      // One is left to take back what the victim had.
      const victims = await untilReady(arena, 2)
      arena.random.pick(victims).signal('SIGKILL')
      keepWorkers(arena, fleet)
    }
    return faults
  },
}
