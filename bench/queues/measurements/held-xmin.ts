import { setTimeout as pause } from 'node:timers/promises'
import { nowMs } from '../contender.ts'
import type { ContenderName } from '../contenders.ts'
import type { Stage } from '../harness/arena.ts'
import { median, round } from '../harness/numbers.ts'
import type { Measurement, Outcome, Setting } from '../measurement.ts'

const perSecond = 1_000

export const heldXmin: Measurement = {
  name: 'held-xmin',
  title: 'A transaction that stays open',
  about: `${perSecond.toLocaleString('en')} no-op jobs a second, while a transaction that began before them stays open, so that no dead row can be removed. Looked at every ten seconds.
The first and the last minute are compared; the rest is in the plots.`,
  columns: [
    { figure: 'perS', title: 'jobs per second, last minute', better: 'more' },
    { figure: 'claimP50First', title: 'claim p50, first minute, ms', better: 'less' },
    { figure: 'claimP50Last', title: 'claim p50, last minute, ms', better: 'less' },
    { figure: 'claimP99Last', title: 'claim p99, last minute, ms', better: 'less' },
    { figure: 'pickUpP99Last', title: 'pick-up p99, last minute, ms', better: 'less' },
    { figure: 'deadRows', title: 'dead rows at the end', better: 'less' },
    { figure: 'walPerJob', title: 'bytes of WAL per job', better: 'less' },
  ],
  rounds: 1,
  settings: (size) => [
    setting('30 minutes', ['sidelinja', 'graphile-worker'], 1_800 * size),
    setting('5 minutes', ['sidelinja', 'graphile-worker', 'pg-boss', 'bullmq'], 300 * size),
  ],
}

function setting(name: string, contenders: readonly ContenderName[], seconds: number): Setting {
  return { name, contenders, run: (stage) => run(stage, seconds) }
}

async function run(stage: Stage, seconds: number): Promise<Outcome> {
  const holder = await stage.connect()
  await holder.query('begin isolation level repeatable read; select 1')
  const worker = await stage.worker()
  await worker.go()
  const producer = await stage.producer()
  const producing = producer.enqueue({ how: 'paced', perSecond, seconds })
  const series: Record<string, number>[] = []
  const everyMs = Math.min(10_000, (seconds * 1_000) / 3)
  const startedAt = nowMs()
  let before = await look(stage, 0)
  while (nowMs() - startedAt < seconds * 1_000 - everyMs / 2) {
    await pause(everyMs - ((nowMs() - startedAt) % everyMs))
    const { ended, claims, pickUp, rssMb } = await worker.report()
    const now = await look(stage, ended)
    const done = now.ended - before.ended
    series.push({
      s: Math.round((nowMs() - startedAt) / 1_000),
      perS: round(done / ((now.atMs - before.atMs) / 1_000)),
      claimP50: claims.p50,
      claimP99: claims.p99,
      pickUpP50: pickUp.p50,
      pickUpP99: pickUp.p99,
      deadRows: now.deadRows,
      walPerJob: Math.round((now.wal - before.wal) / Math.max(1, done)),
      rssMb: round(rssMb),
    })
    before = now
  }
  await holder.query('rollback')
  await producing
  return { figures: sumUp(series), series }
}

async function look(stage: Stage, ended: number) {
  const [row] = await stage.query<{ wal: string; dead: string }>(
    `select pg_current_wal_lsn() - '0/0' as wal,
      (select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables where relid = any($1::regclass[]::oid[])) as dead`,
    [stage.contender.tables],
  )
  return { atMs: nowMs(), ended, wal: Number(row?.wal), deadRows: Number(row?.dead) }
}

function sumUp(series: readonly Record<string, number>[]): Record<string, number> {
  const minute = Math.min(6, series.length)
  const of = (rows: readonly Record<string, number>[], figure: string) => round(median(rows.map((row) => row[figure] ?? Number.NaN)))
  const [first, last] = [series.slice(0, minute), series.slice(-minute)]
  return {
    perS: of(last, 'perS'),
    claimP50First: of(first, 'claimP50'),
    claimP50Last: of(last, 'claimP50'),
    claimP99Last: of(last, 'claimP99'),
    pickUpP99Last: of(last, 'pickUpP99'),
    deadRows: series.at(-1)?.deadRows ?? 0,
    walPerJob: of(series, 'walPerJob'),
  }
}
