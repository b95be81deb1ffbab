import { setTimeout as sleep } from 'node:timers/promises'
import type { Arena } from './arena.ts'
import { overload } from './overload.ts'
import type { ChaosProcess } from './processes.ts'

const lookMs = 20

/**
 * Waits until `look` finds something.
 * @throws when it did not in time, naming `what` was waited for; the signal's reason when the fault is given up.
 */
export async function until<T>(
  arena: Arena,
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs * overload()
  for (;;) {
    arena.signal.throwIfAborted()
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`)
    await sleep(lookMs)
  }
}

/** Waits until so many workers take jobs. */
export function untilReady(arena: Arena, count: number): Promise<ChaosProcess[]> {
  return until(arena, `${count} workers ready`, () => {
    const ready = arena.processes.readyWorkers()
    return ready.length >= count ? ready : undefined
  })
}
