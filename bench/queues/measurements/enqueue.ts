import { fastest } from '../contenders.ts'
import type { Stage } from '../harness/arena.ts'
import type { Enqueue } from '../harness/messages.ts'
import type { Measurement, Setting } from '../measurement.ts'

export const enqueue: Measurement = {
  name: 'enqueue',
  title: 'Enqueue',
  about: `How many jobs a second one process puts into the queue: one after the other, from eight clients at once, and a thousand a statement. Each is durable when the call returns. With
an idle worker each enqueue also has somebody to wake.`,
  columns: [{ figure: 'perS', title: 'jobs per second', better: 'more' }],
  rounds: 5,
  settings: (size) => {
    const seconds = 4 * size
    return [
      setting('one client', { how: 'single', clients: 1, seconds }),
      setting('8 clients', { how: 'single', clients: 8, seconds }),
      setting('8 clients, a worker idle', { how: 'single', clients: 8, seconds }, true),
      setting('bulk, 1,000 a call', { how: 'bulk', jobs: Math.round(200_000 * size), batch: 1_000, type: 'bench' }),
    ]
  },
}

function setting(name: string, how: Enqueue, idleWorker = false): Setting {
  return { name, contenders: fastest, run: (stage) => run(stage, how, idleWorker) }
}

async function run(stage: Stage, how: Enqueue, idleWorker: boolean) {
  if (idleWorker) await (await stage.worker({ type: 'bench_other' })).go()
  const producer = await stage.producer()
  const { jobs, seconds } = await producer.enqueue(how)
  return { figures: { perS: Math.round(jobs / seconds), jobs } }
}
