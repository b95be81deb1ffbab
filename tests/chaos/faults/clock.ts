import { setTimeout as sleep } from 'node:timers/promises'
import { haveWorkers } from '../arena/keep-workers.ts'
import type { Fault } from './fault.ts'

const hourMs = 3_600_000
const rounds = 10

export const clock: Fault = {
  name: 'clock',
  title: 'worker clocks one hour fast and slow',
  full: { jobs: 2_000, faults: 1, lastsMs: 15_000 },
  short: { jobs: 100, faults: 1, lastsMs: 1_500 },
  async run(arena, { jobs, faults, lastsMs = 0 }) {
    for (const clockShiftMs of [hourMs, 0, -hourMs]) arena.start({ clockShiftMs })
    await haveWorkers(arena, 3)
    for (let round = 0; round < rounds; round++) {
      await arena.workload.add(jobs / rounds)
      await sleep(lastsMs / rounds, undefined, { signal: arena.signal })
    }
    return faults
  },
}
