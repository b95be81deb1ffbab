import { setTimeout as sleep } from 'node:timers/promises'
import { haveWorkers, keepWorkers } from '../arena/keep-workers.ts'
import { untilReady } from '../arena/until.ts'
import { trueNow } from '../history/process-log.ts'
import type { Fault } from './fault.ts'

const fleet = 3

export const rolling: Fault = {
  name: 'rolling',
  title: 'rolling restarts under load',
  full: { jobs: 3_000, faults: 50 },
  short: { jobs: 100, faults: 3 },
  // A lease long enough that on a busy machine none is lost by chance; every third job of some length outlasts the drain.
  times: { leaseMs: 20_000, drainMs: 300 },
  async run(arena, { jobs, faults }) {
    await haveWorkers(arena, fleet)
    for (let done = 0; done < faults; done++) {
      await arena.workload.add(jobs / faults)
      await sleep(arena.random.between(50, 300), undefined, { signal: arena.signal })
      const [oldest] = await untilReady(arena, fleet)
      const from = trueNow()
      oldest?.signal('SIGTERM')
      keepWorkers(arena, fleet)
      await oldest?.ended
      arena.recoveries.push(trueNow() - from)
    }
    await expectNothingCharged(arena.pool, arena.complaints)
    return faults
  },
}

/** A restart must not cost an attempt: none of these jobs is ever taken from a dead worker. */
async function expectNothingCharged(
  pool: { query(text: string): Promise<{ rows: { count: number }[] }> },
  complaints: string[],
): Promise<void> {
  const { rows } = await pool.query("select count(*)::int as count from job_attempts where end_reason = 'lease_expired'")
  const count = rows[0]?.count ?? 0
  if (count > 0) complaints.push(`${count} attempts were charged by restarts`)
}
