import { setTimeout as sleep } from 'node:timers/promises'
import type { Arena } from '../arena/arena.ts'
import { haveWorkers } from '../arena/keep-workers.ts'
import { type ChaosProxy, type ProxyMode, startProxy } from '../arena/proxy.ts'
import { untilClaimed } from '../arena/until-claimed.ts'
import type { Fault } from './fault.ts'

/** Longer than the worker takes to find out by itself that a connection is dead: 20 s. */
const findsOutMs = 25_000

interface Way {
  mode: ProxyMode
  /** Done again and again, after so many milliseconds. */
  again?: { everyMs: readonly [number, number]; act(proxy: ChaosProxy): Promise<void> | void }
}

const ways: readonly Way[] = [
  { mode: 'pass', again: { everyMs: [300, 1_000], act: cutForAWhile } },
  { mode: 'pass', again: { everyMs: [150, 600], act: (proxy) => proxy.breakAll('reset') } },
  { mode: 'pass', again: { everyMs: [findsOutMs, findsOutMs], act: (proxy) => proxy.hushAll() } },
  { mode: 'slow' },
  { mode: 'slices' },
  { mode: 'lose_answers' },
]

export const proxy: Fault = {
  name: 'proxy',
  title: 'TCP: cut, reset, half-open, slow, one byte at a time, commit without answer',
  full: { jobs: 6_000, faults: ways.length, lastsMs: 60_000 },
  short: { jobs: 120, faults: ways.length, lastsMs: 800 },
  async run(arena, { jobs, lastsMs = 0 }) {
    const between = await startProxy(arena.server.connectionString(arena.database), arena.random.fork('proxy'))
    try {
      const behind = [1, 2].map(() => arena.start({ connection: between.connectionString, maxConcurrent: 8 }))
      // One that sees the database as it is, to take back what the others lose.
      arena.start({ maxConcurrent: 1 })
      await haveWorkers(arena, 3)
      for (const way of ways) {
        await maltreat(arena, between, { way, jobs: jobs / ways.length, lastsMs })
        await untilClaimed(arena, behind)
      }
      return ways.length
    } finally {
      await between.close()
    }
  },
}

async function maltreat(
  arena: Arena,
  between: ChaosProxy,
  { way, jobs, lastsMs }: { way: Way; jobs: number; lastsMs: number },
): Promise<void> {
  const end = performance.now() + lastsMs
  const rounds = Math.max(2, Math.round(lastsMs / 500))
  between.mode = way.mode
  await way.again?.act(between)
  await Promise.all([feed(arena, { jobs, rounds, lastsMs }), way.again ? repeat(arena, between, way.again, end) : undefined])
  between.mode = 'pass'
  // What is dead without saying so is ended; when there was time the workers have found out by themselves.
  if (lastsMs < findsOutMs) between.breakAll('cut')
}

async function feed(arena: Arena, { jobs, rounds, lastsMs }: { jobs: number; rounds: number; lastsMs: number }): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await arena.workload.add(jobs / rounds)
    await sleep(lastsMs / rounds, undefined, { signal: arena.signal })
  }
}

async function repeat(arena: Arena, between: ChaosProxy, again: NonNullable<Way['again']>, end: number): Promise<void> {
  for (;;) {
    const waitMs = arena.random.between(...again.everyMs)
    if (performance.now() + waitMs > end) return
    await sleep(waitMs, undefined, { signal: arena.signal })
    await again.act(between)
  }
}

async function cutForAWhile(between: ChaosProxy): Promise<void> {
  between.mode = 'refuse'
  between.breakAll('cut')
  await sleep(500)
  between.mode = 'pass'
}
