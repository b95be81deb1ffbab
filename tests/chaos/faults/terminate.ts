import { setTimeout as sleep } from 'node:timers/promises'
import type { Arena } from '../arena/arena.ts'
import { haveWorkers } from '../arena/keep-workers.ts'
import type { Fault } from './fault.ts'

const fleet = 3
/** Whose backend to end; the first that is there. Any, when none is. */
const aims = [
  'pid is not null',
  "query ilike 'listen%'",
  "query ilike '%heartbeat_at%'",
  "query ilike '%for update skip locked%'",
  "state = 'idle in transaction' or query ilike '%jobs.run%'",
  "query ilike '%job_attempts%'",
  "query ilike 'commit%'",
]

export const terminate: Fault = {
  name: 'terminate',
  title: 'backends terminated, random and aimed',
  full: { jobs: 4_000, faults: 200 },
  short: { jobs: 210, faults: 14 },
  async run(arena, { jobs, faults }) {
    await haveWorkers(arena, fleet)
    for (let done = 0; done < faults; done++) {
      await arena.workload.add(jobs / faults)
      await sleep(arena.random.between(20, 250), undefined, { signal: arena.signal })
      await terminateOne(arena, aims[done % aims.length] as string)
    }
    return faults
  },
}

async function terminateOne({ pool, random }: Arena, aim: string): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid) from (
       select pid from pg_stat_activity
       where datname = current_database() and application_name like 'sidelinja%'
       order by (${aim}) desc, (state = 'active') desc, md5(pid::text || $1) limit 1) one`,
    [String(random.next())],
  )
}
