import type { ProcessOptions } from '../process/options.ts'
import type { Arena } from './arena.ts'

/** Starts workers until there are `count`, those that are still starting included. */
export function keepWorkers(arena: Arena, count: number, options: Partial<ProcessOptions> = {}): void {
  for (let missing = count - arena.processes.workers().length; missing > 0; missing--) arena.start(options)
}

/** Starts workers until there are `count`, and waits until all of them take jobs. */
export async function haveWorkers(arena: Arena, count: number, options: Partial<ProcessOptions> = {}): Promise<void> {
  keepWorkers(arena, count, options)
  await Promise.all(arena.processes.workers().map(({ ready }) => ready))
}
