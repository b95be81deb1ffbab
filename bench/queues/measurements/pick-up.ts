import { type ContenderName, fastest } from '../contenders.ts'
import type { Stage } from '../harness/arena.ts'
import type { Enqueue } from '../harness/messages.ts'
import type { Measurement, Setting } from '../measurement.ts'

const withDefaults = ['sidelinja', 'sidelinja default', 'graphile-worker', 'graphile-worker default', 'pg-boss', 'bullmq'] as const

export const pickUp: Measurement = {
  name: 'pick-up',
  title: 'Pick-up latency',
  about: `From before the call that enqueues until the handler begins, in another process. Idle: single jobs 20 to 60 ms apart. Under load: jobs at a steady rate in small statements, for
ten seconds; what could not be enqueued at that rate is told by the rate that was reached.`,
  columns: [
    { figure: 'p50', title: 'p50, ms', better: 'less' },
    { figure: 'p95', title: 'p95, ms', better: 'less' },
    { figure: 'p99', title: 'p99, ms', better: 'less' },
    { figure: 'max', title: 'longest, ms', better: 'less' },
    { figure: 'perS', title: 'jobs per second reached', better: 'more' },
  ],
  rounds: 5,
  settings: (size) => [
    setting('idle', withDefaults, { how: 'probes', count: Math.ceil(600 * size), pauseMs: [20, 60] }),
    setting('2,000 a second', fastest, { how: 'paced', perSecond: 2_000, seconds: 10 * size }),
    setting('10,000 a second', ['sidelinja', 'graphile-worker', 'pg-boss'], { how: 'paced', perSecond: 10_000, seconds: 10 * size }),
  ],
}

function setting(name: string, contenders: readonly ContenderName[], how: Enqueue): Setting {
  return { name, contenders, run: (stage) => run(stage, how) }
}

async function run(stage: Stage, how: Enqueue) {
  const worker = await stage.worker()
  await worker.go()
  const producer = await stage.producer()
  // What is loaded and connected on the first jobs is not measured.
  await producer.enqueue({ how: 'probes', count: 5, pauseMs: [20, 60] })
  await stage.untilDrained()
  await worker.report()
  const { jobs, seconds } = await producer.enqueue(how)
  await stage.untilDrained()
  const { pickUp: times } = await worker.report()
  const { p50, p95, p99, max } = times
  return { figures: { p50, p95, p99, max, perS: Math.round(jobs / seconds), jobs: times.count } }
}
