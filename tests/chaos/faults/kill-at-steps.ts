import { setTimeout as sleep } from 'node:timers/promises'
import type { Arena } from '../arena/arena.ts'
import { haveWorkers } from '../arena/keep-workers.ts'
import { migrateAgain, openEmptyDatabase } from '../arena/migrated.ts'
import { overload } from '../arena/overload.ts'
import type { ChaosProcess } from '../arena/processes.ts'
import { until } from '../arena/until.ts'
import { trueNow } from '../history/process-log.ts'
import { type KillPoint, killPoints, type PointName } from '../process/kill-points.ts'
import type { ProcessOptions } from '../process/options.ts'
import type { Fault } from './fault.ts'

const atOnce = 3
const reachMs = 30_000
const trickle = 10
const trickleMs = 150

export const killAtSteps: Fault = {
  name: 'kill-steps',
  title: `kill -9 at each of ${killPoints.length} named steps`,
  full: { jobs: 0, faults: 10 },
  short: { jobs: 0, faults: 1 },
  async run(arena, { faults }) {
    // They rescue seldom, so that the victims get to.
    await haveWorkers(arena, 2, { pollIntervalMs: 1_000 })
    const kills = killPoints.flatMap((point) => Array.from({ length: faults }, () => point))
    const load = startLoad(arena)
    await Promise.all(Array.from({ length: atOnce }, () => work(arena, kills)))
    await load.stop()
    return killPoints.length * faults
  },
}

/** Takes one kill after the other until none is left. */
async function work(arena: Arena, kills: KillPoint[]): Promise<void> {
  for (let point = kills.shift(); point; point = kills.shift()) {
    if (point.role === 'migrate') await killMigration(arena, point)
    else await killOne(arena, point)
  }
}

/** Jobs keep coming, so that every victim gets some. */
function startLoad(arena: Arena): { stop(): Promise<void> } {
  let stopped = false
  const ended = (async () => {
    while (!stopped && !arena.signal.aborted) {
      await arena.workload.add(trickle)
      await sleep(trickleMs)
    }
  })()
  return {
    stop() {
      stopped = true
      return ended
    },
  }
}

async function killOne(arena: Arena, point: KillPoint): Promise<void> {
  const nth = point.needs === undefined && point.role === 'worker' ? arena.random.between(1, 3) : 1
  if (point.needs === 'dead_worker') await startBait(arena)
  const victim = arena.start({ role: point.role, kill: { point: point.name as PointName, nth }, ...settingsFor(point) })
  victim.mayEnd()
  await victim.ready
  if (point.needs === 'stop') {
    await untilBusy(arena, victim)
    victim.signal('SIGTERM')
  }
  await expectKill(arena, point, victim)
}

/** A worker that dies with a job, for others to rescue. */
async function startBait(arena: Arena): Promise<void> {
  const bait = arena.start({ kill: { point: 'handler: middle', nth: 1 } })
  bait.mayEnd()
  await Promise.race([bait.ended, sleep(reachMs * overload(), undefined, { ref: false, signal: arena.signal })])
}

/** The first to look for the dead; the first to abort what it runs. */
function settingsFor({ needs }: KillPoint): Partial<ProcessOptions> {
  if (needs === 'dead_worker') return { pollIntervalMs: 20 }
  return needs === 'stop' ? { drainMs: 0 } : {}
}

/** Waits until the worker runs something long enough to be handed back. */
async function untilBusy(arena: Arena, { pid }: ChaosProcess): Promise<void> {
  const long = `
    select from job_queue q join job_workers w on w.id = q.worker_id
    where w.pid = $1 and q.status = 'running' and not q.prefetched and (q.payload->>'ms')::int > 300`
  await until(arena, 'a job that runs long', async () => (await arena.pool.query(long, [pid])).rows[0])
}

/** A step that is never reached is a fault of this program: the statement it looks for is not there any more. */
async function expectKill(arena: Arena, point: KillPoint, victim: ChaosProcess): Promise<void> {
  const died = await Promise.race([victim.ended, sleep(reachMs * overload(), undefined, { ref: false, signal: arena.signal })])
  if (died?.signal === 'SIGKILL') arena.processes.silences.push({ pid: victim.pid, at: trueNow() })
  else {
    arena.complaints.push(`the step "${point.name}" was not reached`)
    victim.signal('SIGKILL')
    await victim.ended
  }
}

async function killMigration(arena: Arena, point: KillPoint): Promise<void> {
  const empty = await openEmptyDatabase(arena)
  try {
    const victim = arena.start({
      role: 'migrate',
      connection: empty.connectionString,
      kill: { point: point.name as PointName, nth: arena.random.between(1, 4) },
    })
    victim.mayEnd()
    await expectKill(arena, point, victim)
    await migrateAgain(arena, empty)
  } finally {
    await empty.drop()
  }
}
