import { setTimeout as sleep } from 'node:timers/promises'
import { enqueueByType } from '@sidelinja/jobs-core'
import { cancel, retry } from '../arena/admin-actions.ts'
import type { Arena } from '../arena/arena.ts'
import { haveWorkers } from '../arena/keep-workers.ts'
import type { ChaosType } from '../process/payload.ts'
import type { Fault } from './fault.ts'

const clients = 20

export const race: Fault = {
  name: 'race',
  title: 'retry and cancel against claim and settle',
  full: { jobs: 0, faults: 5_000 },
  short: { jobs: 0, faults: 150 },
  async run(arena, { faults }) {
    await haveWorkers(arena, 2, { pollIntervalMs: 20 })
    let left = faults
    const one = async () => {
      while (left-- > 0 && !arena.signal.aborted) await pairs[left % pairs.length]?.(arena)
    }
    await Promise.all(Array.from({ length: clients }, one))
    return faults
  },
}

/** Two who want the same job at the same time. Who won is told by the history, and must be what was answered. */
const pairs: readonly ((arena: Arena) => Promise<void>)[] = [
  // A cancel and the claim.
  async (arena) => {
    const id = await add(arena, 'chaos_plain', 0)
    await sleep(arena.random.between(0, 3))
    await cancel(arena.pool, id, arena.note)
  },
  // A cancel and the settle, with and without a write.
  async (arena) => {
    const id = await add(arena, arena.random.pick(['chaos_plain', 'chaos_write']), 4)
    await sleep(arena.random.between(2, 14))
    await cancel(arena.pool, id, arena.note)
  },
  // Two retries, and what cancelled it first.
  async (arena) => {
    const id = await add(arena, 'chaos_plain', 0, 3_600_000)
    await cancel(arena.pool, id, arena.note)
    await Promise.all([retry(arena.pool, id, arena.note), retry(arena.pool, id, arena.note)])
  },
  // A retry, a cancel and the claim that the retry makes possible.
  async (arena) => {
    const id = await add(arena, 'chaos_plain', 0, 3_600_000)
    await cancel(arena.pool, id, arena.note)
    await Promise.all([retry(arena.pool, id, arena.note), cancel(arena.pool, id, arena.note)])
  },
  // A retry and the settle of a failure.
  async (arena) => {
    const id = await add(arena, 'chaos_refuse', 2)
    await sleep(arena.random.between(2, 14))
    await retry(arena.pool, id, arena.note)
  },
]

async function add(arena: Arena, type: ChaosType, ms: number, inMs = 0): Promise<string> {
  const tag = `race:${arena.random.next()}`
  arena.note({ kind: 'asked', tag })
  const options = { collectionNodeId: arena.collectionNodeId, correlationId: tag, maxAttempts: 12 }
  const scheduledFor = inMs > 0 ? { scheduledFor: new Date(Date.now() + inMs) } : {}
  const { id } = await enqueueByType(arena.pool, type, { ms }, { ...options, ...scheduledFor })
  arena.note({ kind: 'acknowledged', job: id, tag })
  return id
}
