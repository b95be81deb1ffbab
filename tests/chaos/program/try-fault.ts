import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Arena, openArena, type Times } from '../arena/arena.ts'
import { settleDown } from '../arena/settle-down.ts'
import type { Fault } from '../faults/fault.ts'
import type { Violation } from '../history/history.ts'
import { checkInvariants } from '../invariants/check.ts'
import type { Random } from '../random.ts'
import { countHistory, type Figures } from './figures.ts'
import type { ChaosServer } from './server.ts'

const fullTimes: Times = { leaseMs: 2_000, pollIntervalMs: 200, drainMs: 2_000, slackMs: 3_000, patienceMs: 120_000 }
const shortTimes: Times = { leaseMs: 1_000, pollIntervalMs: 100, drainMs: 500, slackMs: 3_000, patienceMs: 30_000 }
/** A fault that takes longer is given up. */
const limitMs = { full: 30 * 60_000, short: 5 * 60_000 }

export interface Trial {
  server: ChaosServer
  random: Random
  short: boolean
  /** For the logs of its processes; gone afterwards. */
  folder: string
  /** Where the logs stay when something was wrong. */
  failures: string
  signal: AbortSignal
}

/** Makes one fault under load, lets everything settle, and checks what happened. */
export async function tryFault(fault: Fault, trial: Trial): Promise<Figures> {
  const from = performance.now()
  const { short } = trial
  const signal = AbortSignal.any([trial.signal, AbortSignal.timeout(short ? limitMs.short : limitMs.full)])
  const times = { ...(short ? shortTimes : fullTimes), ...fault.times }
  const folder = join(trial.folder, fault.name)
  const arena = await openArena({ server: trial.server, folder, random: trial.random.fork(fault.name), times, signal })
  try {
    const faults = await runBounded(fault, arena, short)
    trial.signal.throwIfAborted()
    await settleDown(arena, trial.signal)
    trial.signal.throwIfAborted()
    const history = await arena.history()
    const violations = [...complaintsOf(arena), ...checkInvariants(history)]
    if (violations.length > 0) await keep(folder, join(trial.failures, fault.name))
    const seconds = (performance.now() - from) / 1_000
    return { fault: fault.name, title: fault.title, faults, seconds, ...countHistory(history, violations, arena.recoveries) }
  } finally {
    await arena.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the fault itself stumbles over is a finding like any other. */
async function runBounded(fault: Fault, arena: Arena, short: boolean): Promise<number> {
  try {
    return await fault.run(arena, short ? fault.short : fault.full)
  } catch (error) {
    arena.complaints.push(`the fault could not be made: ${error instanceof Error ? error.stack : error}`)
    return 0
  }
}

function complaintsOf({ complaints, processes }: Arena): Violation[] {
  return [...complaints, ...processes.surprises].map((text) => ({ invariant: 'other', text }))
}

async function keep(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  await cp(from, to, { recursive: true })
}
