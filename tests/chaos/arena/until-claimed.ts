import { trueNow } from '../history/process-log.ts'
import type { Arena } from './arena.ts'
import type { ChaosProcess } from './processes.ts'
import { until } from './until.ts'

const claimed = `
  select from chaos_changes c join job_workers w on w.id = c.worker
  where c.at > to_timestamp($1::float8 / 1000) and c.status = 'running' and w.pid = any($2) limit 1`

/** Brings jobs until one of these workers claims again, and notes how long that took. */
export async function untilClaimed(arena: Arena, workers: readonly ChaosProcess[]): Promise<void> {
  const from = trueNow()
  await until(arena, 'a claim after the fault', async () => {
    try {
      await arena.workload.add(5)
      return (await arena.pool.query(claimed, [from, workers.map(({ pid }) => pid)])).rows[0]
    } catch {
      return undefined
    }
  })
  arena.recoveries.push(trueNow() - from)
}
