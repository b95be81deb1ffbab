import type { ClaimedJob } from '../queue/settle-and-claim.ts'
import type { Session } from './session.ts'

const pauseMs = 100

export interface ApartTask {
  job: ClaimedJob
  /** Throws when it must be tried again: somebody holds the row's lock, or the server is in trouble. */
  settle: () => Promise<void>
}

/**
 * Settles rows that somebody has locked, or that the server will not write just now: one after the other, again and again, beside the loop, so that neither the batches nor the
 * slots wait for them. At most one connection waits for a lock at a time.
 */
export interface Apart {
  add(task: ApartTask): void
  /** Jobs that are not settled yet. */
  jobs(): ClaimedJob[]
  /** Resolves when everything is settled, or the lease is lost. */
  idle(): Promise<void>
}

export function createApart(session: Session): Apart {
  let tasks: ApartTask[] = []
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    while (tasks.length > 0 && !session.lost.aborted) {
      for (const task of tasks) if (await attempt(task)) tasks = tasks.filter((other) => other !== task)
      if (tasks.length > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    working = undefined
  }

  return {
    add(task) {
      tasks = [...tasks, task]
      working ??= work()
    },
    jobs: () => tasks.map((task) => task.job),
    idle: async () => working,
  }
}

/** False when it must be tried again. */
async function attempt(task: ApartTask): Promise<boolean> {
  try {
    await task.settle()
    return true
  } catch {
    return false
  }
}
