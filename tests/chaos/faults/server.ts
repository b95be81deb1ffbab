import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Arena, outage } from '../arena/arena.ts'
import { haveWorkers } from '../arena/keep-workers.ts'
import { untilClaimed } from '../arena/until-claimed.ts'
import type { Fault } from './fault.ts'

const fleet = 3
type Way = (arena: Arena, lastsMs: number) => Promise<void>

const ways: readonly Way[] = [
  (arena, lastsMs) => restart(arena, 'fast', lastsMs),
  (arena, lastsMs) => restart(arena, 'immediate', lastsMs),
  readOnly,
  withoutConnections,
]

export const server: Fault = {
  name: 'server',
  title: 'PostgreSQL stopped, crashed, read-only, out of connections',
  alone: true,
  full: { jobs: 4_000, faults: 5, lastsMs: 15_000 },
  short: { jobs: 120, faults: 1, lastsMs: 1_000 },
  async run(arena, { jobs, faults, lastsMs = 0 }) {
    await haveWorkers(arena, fleet)
    for (let round = 0; round < faults; round++) {
      for (const way of ways) {
        await arena.workload.add(jobs / faults / ways.length)
        await outage(arena, () => way(arena, lastsMs))
        await untilClaimed(arena, arena.processes.workers())
      }
    }
    return faults * ways.length
  },
}

async function restart({ server: postgres, signal }: Arena, mode: 'fast' | 'immediate', lastsMs: number): Promise<void> {
  await postgres.stop(mode)
  await sleep(lastsMs, undefined, { signal })
  await postgres.start()
}

async function readOnly({ server: postgres, signal }: Arena, lastsMs: number): Promise<void> {
  await postgres.administer('alter system set default_transaction_read_only = on')
  await postgres.administer('select pg_reload_conf()')
  await sleep(lastsMs, undefined, { signal })
  await postgres.administer('alter system reset default_transaction_read_only')
  await postgres.administer('select pg_reload_conf()')
}

/** Takes every connection there is, ends the workers' own, and keeps what becomes free. */
async function withoutConnections(arena: Arena, lastsMs: number): Promise<void> {
  const taken: pg.Client[] = []
  const deadline = performance.now() + lastsMs
  try {
    await takeAll(arena, taken)
    await taken[0]?.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'sidelinja%'")
    while (performance.now() < deadline && !arena.signal.aborted) {
      await takeAll(arena, taken)
      await sleep(100)
    }
  } finally {
    await Promise.all(taken.map((client) => client.end().catch(() => {})))
  }
}

async function takeAll({ server: postgres, database, signal }: Arena, taken: pg.Client[]): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: postgres.connectionString(database) })
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
    } catch {
      return
    }
  }
}
