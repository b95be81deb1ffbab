/** A handler that was given up may still be on its way out; after this long it is taken for one that never ends. */
const patienceMs = 10_000

/** Handlers that ignored their signal: nobody waits for them, and nothing they do is written; but they go on using this process. */
export interface Zombies {
  /**
   * @param ended settles when the handler ends after all.
   * @param jobType what it runs.
   */
  add(ended: Promise<unknown>, jobType: string): void
}

export interface ZombieListeners {
  /** One more handler does not end. */
  onZombie(jobType: string): void
  /** There are as many as the worker has slots. */
  onFull(jobTypes: readonly string[]): void
}

/** Counts them, because their slots go to other jobs: without a bound a process would fill up with them. */
export function createZombies(max: number, { onZombie, onFull }: ZombieListeners): Zombies {
  const zombies = new Map<Promise<unknown>, string>()
  return {
    add(ended, jobType) {
      const timer = setTimeout(() => {
        zombies.set(ended, jobType)
        onZombie(jobType)
        if (zombies.size === max) onFull([...new Set(zombies.values())])
      }, patienceMs)
      timer.unref()
      const leave = () => {
        clearTimeout(timer)
        zombies.delete(ended)
      }
      ended.then(leave, leave)
    },
  }
}
