import { setTimeout as pause } from 'node:timers/promises'
import { nowMs, type Task } from '../contender.ts'
import { allContenders, type ContenderName, fastest } from '../contenders.ts'
import type { Stage } from '../harness/arena.ts'
import { round } from '../harness/numbers.ts'
import type { Measurement, Setting } from '../measurement.ts'

/** How many no-op jobs keep each of them busy for some seconds. */
const noOps: Partial<Record<ContenderName, number>> = {
  sidelinja: 200_000,
  'graphile-worker': 200_000,
  'pg-boss': 100_000,
  'sidelinja default': 100_000,
  'pg-boss default': 12,
}
const fewNoOps = 10_000
const inPairs = ['sidelinja', 'graphile-worker'] as const

export const drain: Measurement = {
  name: 'drain',
  title: 'Drain',
  about: `How fast waiting jobs are worked off. The processes have loaded their code; the time runs from the moment they are told to start until no job waits or runs any more,
as the database says. Every contender has as many jobs as keep it busy for some seconds (pg-boss by default fetches one job every two seconds: 12 of them). Of failing jobs every third
throws, with one attempt. pg-boss runs a whole batch at once, of up to 5,000 jobs and two batches, the others ten jobs (BullMQ 16): of jobs that wait it looks faster for that.`,
  columns: [{ figure: 'perS', title: 'jobs per second', better: 'more' }],
  rounds: 5,
  settings: (size) => [
    setting('no-op, 1 process', allContenders, { size }),
    setting('no-op, 2 processes', fastest, { size, processes: 2 }),
    setting('no-op, 8 processes', fastest, { size, processes: 8 }),
    setting('no-op, 1 process, every third fails', fastest, { size, failEvery: 3 }),
    setting('1 ms, 1 process', fastest, { size, task: '1 ms', jobs: 20_000 }),
    setting('50 ms, 1 process', fastest, { size, task: '50 ms', jobs: 2_000 }),
    setting('no-op, 1 process, a transaction open since before', inPairs, { size, held: true }),
  ],
}

interface Shape {
  size: number
  processes?: number
  task?: Task
  failEvery?: number
  jobs?: number
  held?: boolean
}

function setting(name: string, contenders: readonly ContenderName[], shape: Shape): Setting {
  return { name, contenders, run: (stage) => run(stage, shape) }
}

async function run(stage: Stage, { size, processes = 1, task = 'no-op', failEvery = 0, jobs, held = false }: Shape) {
  const count = Math.max(6, Math.round((jobs ?? noOps[stage.name] ?? fewNoOps) * size))
  if (held) await (await stage.connect()).query('begin isolation level repeatable read; select 1')
  const producer = await stage.producer()
  await producer.enqueue({ how: 'bulk', jobs: count, batch: 5_000, type: 'bench', once: failEvery > 0 })
  await producer.stop()
  await stage.settle()
  const workers = await Promise.all(Array.from({ length: processes }, () => stage.worker({ task, failEvery })))
  const startedAt = nowMs()
  await Promise.all(workers.map((worker) => worker.go()))
  while (workers.reduce((sum, worker) => sum + worker.ended(), 0) < count) await pause(5)
  await stage.untilDrained()
  const seconds = (nowMs() - startedAt) / 1_000
  const reports = await Promise.all(workers.map((worker) => worker.report()))
  const cpuMs = reports.reduce((sum, report) => sum + report.cpuMs, 0)
  const figures = {
    perS: Math.round(count / seconds),
    jobs: count,
    rssMb: round(reports[0]?.rssMb ?? 0),
    cpuUsPerJob: round((cpuMs * 1_000) / count),
  }
  return { figures }
}
