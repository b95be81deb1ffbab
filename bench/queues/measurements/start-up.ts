import { setTimeout as pause } from 'node:timers/promises'
import { nowMs } from '../contender.ts'
import { fastest } from '../contenders.ts'
import type { Stage } from '../harness/arena.ts'
import { round } from '../harness/numbers.ts'
import type { Measurement, Outcome } from '../measurement.ts'

export const startUp: Measurement = {
  name: 'start-up',
  title: 'Start, and doing nothing',
  about: `From the start of the process to the end of the first job, which waits already; then what an idle worker takes. Transactions are those of its database, the measurement's own left out.`,
  columns: [
    { figure: 'firstJobMs', title: 'start to first job, ms', better: 'less' },
    { figure: 'rssMb', title: 'memory when idle (RSS), MB', better: 'less' },
    { figure: 'transactionsPerS', title: 'transactions per second when idle', better: 'less' },
    { figure: 'cpuShare', title: 'processor when idle, ‰', better: 'less' },
  ],
  rounds: 5,
  settings: (size) => [{ name: 'one worker', contenders: fastest, run: (stage) => run(stage, 20_000 * size) }],
}

async function run(stage: Stage, idleMs: number): Promise<Outcome> {
  const producer = await stage.producer()
  await producer.enqueue({ how: 'probes', count: 1, pauseMs: [0, 0] })
  await producer.stop()
  const startedAt = nowMs()
  const worker = await stage.worker()
  await worker.go()
  while (worker.ended() === 0) await pause(1)
  const firstJobMs = nowMs() - startedAt
  await pause(idleMs / 4)
  const before = { ...(await worker.report()), ...(await transactions(stage)) }
  await pause(idleMs)
  const after = { ...(await worker.report()), ...(await transactions(stage)) }
  const seconds = (after.atMs - before.atMs) / 1_000
  return {
    figures: {
      firstJobMs: round(firstJobMs),
      rssMb: round(after.rssMb),
      transactionsPerS: round((after.transactions - before.transactions - 1) / seconds),
      cpuShare: round((after.cpuMs - before.cpuMs) / seconds),
    },
  }
}

async function transactions(stage: Stage) {
  const [row] = await stage.query<{ count: string }>(
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`,
  )
  return { atMs: nowMs(), transactions: Number(row?.count) }
}
