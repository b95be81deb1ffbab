import PQueue from 'p-queue'

/** The worker's slots: how many handlers run at the same time. */
export interface Slots {
  readonly size: number
  running(): number
  free(): number
  /** Runs `fn` in a free slot; the caller looks at `free()` first. Resolves when the slot is free again. */
  run(fn: () => Promise<void>): Promise<void>
  /** Resolves when no slot is taken. */
  idle(): Promise<void>
}

export function createSlots(size: number): Slots {
  const queue = new PQueue({ concurrency: size })
  return {
    size,
    running: () => queue.pending,
    free: () => size - queue.pending - queue.size,
    run: (fn) => queue.add(fn),
    idle: () => queue.onIdle(),
  }
}
