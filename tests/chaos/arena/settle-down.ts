import { setTimeout as sleep } from 'node:timers/promises'
import type { Arena } from './arena.ts'
import { keepWorkers } from './keep-workers.ts'
import { overload } from './overload.ts'

const lookMs = 100
const stopMs = 15_000
/** Backoff lasts from 30 s on: who waits longer than this is called at once. */
const hurry = `
  update job_queue set scheduled_for = clock_timestamp() where id = any(array(
    select id from job_queue where ready and scheduled_for > clock_timestamp() + interval '2 seconds' for update skip locked))`
const unfinished = `select count(*)::int as count from job_queue where status in ('pending', 'retry', 'running')`

/** The fault is over: lets the workers finish every job, then stops them. What is not done in time is found by the invariants. */
export async function settleDown(arena: Arena, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + arena.times.patienceMs * overload()
  while (performance.now() < deadline && !signal.aborted) {
    keepWorkers(arena, 2)
    if ((await look(arena)) === 0) break
    await sleep(lookMs)
  }
  await stopWorkers(arena)
}

/** The database may still be on its way back. */
async function look({ pool }: Arena): Promise<number | undefined> {
  try {
    await pool.query(hurry)
    return (await pool.query<{ count: number }>(unfinished)).rows[0]?.count
  } catch {
    return undefined
  }
}

async function stopWorkers({ processes }: Arena): Promise<void> {
  const workers = processes.readyWorkers()
  for (const worker of workers) worker.signal('SIGTERM')
  await Promise.race([Promise.all(workers.map(({ ended }) => ended)), sleep(stopMs, undefined, { ref: false })])
  await processes.killAll()
}
