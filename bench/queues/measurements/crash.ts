import { setTimeout as pause } from 'node:timers/promises'
import { nowMs, type Task } from '../contender.ts'
import { fastest } from '../contenders.ts'
import type { Stage } from '../harness/arena.ts'
import { round } from '../harness/numbers.ts'
import type { Measurement, Outcome, Setting } from '../measurement.ts'

const patienceMs = 100_000

export const crash: Measurement = {
  name: 'crash',
  title: 'A worker that is killed',
  about: `A worker is killed with SIGKILL in the midst of its work, and another is started at once. How many jobs the dead one leaves taken, and how long it is until the last of them has run.
Nothing: not within ${patienceMs / 1_000} seconds; graphile-worker holds a job for four hours, pg-boss for fifteen minutes.`,
  columns: [
    { figure: 'left', title: 'jobs left taken', better: 'less' },
    { figure: 'backS', title: 'seconds until all have run', better: 'less' },
  ],
  rounds: 3,
  settings: (size) => [setting('no-op jobs', 'no-op', 200_000, size), setting('jobs of 50 ms', '50 ms', 2_000, size)],
}

function setting(name: string, task: Task, jobs: number, size: number): Setting {
  return { name, contenders: fastest, run: (stage) => run(stage, task, Math.max(400, Math.round(jobs * size)), patienceMs * size) }
}

async function run(stage: Stage, task: Task, jobs: number, waitMs: number): Promise<Outcome> {
  const producer = await stage.producer()
  const enqueued = stage.name === 'bullmq' ? Math.ceil(jobs / 10) : jobs
  await producer.enqueue({ how: 'bulk', jobs: enqueued, batch: 5_000, type: 'bench' })
  const [victim, heir] = await Promise.all([stage.worker({ task }), stage.worker({ task })])
  await victim.go()
  while (victim.ended() < enqueued / 10) await pause(5)
  await victim.kill()
  const killedAt = nowMs()
  const [row] = await stage.query(stage.contender.takenSql)
  const left = Number(Object.values(row ?? {})[0])
  await heir.go()
  const late = pause(waitMs).then(() => true)
  const isLate = await Promise.race([late, stage.untilDrained().then(() => false)])
  return { figures: { left, ...(isLate ? {} : { backS: round((nowMs() - killedAt) / 1_000) }) } }
}
