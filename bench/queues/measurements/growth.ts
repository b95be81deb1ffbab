import { setTimeout as pause } from 'node:timers/promises'
import { mainType, otherType } from '../contender.ts'
import { type ContenderName, fastest } from '../contenders.ts'
import type { Stage } from '../harness/arena.ts'
import type { Measurement, Setting } from '../measurement.ts'

const keepsFinished = ['sidelinja', 'pg-boss'] as const
const fewWaiting = 1_000

export const growth: Measurement = {
  name: 'growth',
  title: 'Growth',
  about: `What stands in the table beside the job that is looked for. The claim is the statement that takes jobs, as the worker waits for it. With finished and scheduled jobs, and of a rare type, an idle worker
gets one job at a time; with waiting ones ten slots work off jobs of 50 ms for ten seconds, so that each claim takes one or a few. graphile-worker deletes what is finished, BullMQ cannot be filled from outside.`,
  columns: [
    { figure: 'claimP50', title: 'claim p50, ms', better: 'less' },
    { figure: 'claimP99', title: 'claim p99, ms', better: 'less' },
    { figure: 'pickUpP50', title: 'pick-up p50, ms', better: 'less' },
  ],
  rounds: 1,
  settings: (size) => {
    const count = (jobs: number) => Math.max(10, Math.round(jobs * size))
    return [
      ...[0, 100_000, 1_000_000, 10_000_000].map((jobs) =>
        probed(`${jobs.toLocaleString('en')} finished`, keepsFinished, size, (stage) => fillFinished(stage, jobs === 0 ? 0 : count(jobs))),
      ),
      worked(`${fewWaiting.toLocaleString('en')} waiting`, size, count(fewWaiting)),
      worked('1,000,000 waiting', size, count(1_000_000)),
      probed('100,000 scheduled ahead, of higher priority', fastest, size, (stage) => fill(stage, mainType, count(100_000), 86_400_000)),
      probed('a rare type behind 1,000,000 others', fastest, size, (stage) => fill(stage, otherType, count(1_000_000))),
    ]
  },
}

function probed(name: string, contenders: readonly ContenderName[], size: number, prepare: (stage: Stage) => Promise<void>): Setting {
  return {
    name,
    contenders,
    async run(stage) {
      await prepare(stage)
      await stage.settle()
      const worker = await stage.worker()
      await worker.go()
      const producer = await stage.producer()
      await producer.enqueue({ how: 'probes', count: 5, pauseMs: [20, 60] })
      await worker.report()
      await producer.enqueue({ how: 'probes', count: Math.ceil(500 * size), pauseMs: [20, 40] })
      const { claims, pickUp } = await worker.report()
      return { figures: { claimP50: claims.p50, claimP99: claims.p99, pickUpP50: pickUp.p50 } }
    },
  }
}

function worked(name: string, size: number, jobs: number): Setting {
  return {
    name,
    contenders: fastest.filter((contender) => contender !== 'bullmq'),
    async run(stage) {
      await fill(stage, mainType, jobs)
      await stage.settle()
      const worker = await stage.worker({ task: '50 ms' })
      await worker.go()
      await pause(1_000 * size)
      await worker.report()
      await pause(Math.min(10_000, (fewWaiting / 200) * 800) * size)
      const { claims } = await worker.report()
      return { figures: { claimP50: claims.p50, claimP99: claims.p99 } }
    },
  }
}

async function fillFinished(stage: Stage, jobs: number): Promise<void> {
  const { fillFinishedSql } = stage.contender
  if (fillFinishedSql === undefined) throw new Error(`${stage.name} keeps no finished jobs.`)
  const step = 250_000
  for (let from = 0; from < jobs; from += step) await stage.query(fillFinishedSql, [Math.min(step, jobs - from)])
}

async function fill(stage: Stage, type: string, jobs: number, delayMs?: number): Promise<void> {
  const producer = await stage.producer()
  await producer.enqueue({ how: 'bulk', jobs, batch: 5_000, type, ...(delayMs ? { delayMs } : {}) })
  await producer.stop()
}
