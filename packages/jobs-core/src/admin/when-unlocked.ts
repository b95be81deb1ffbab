import { JobStateError } from '../errors/queue-error.ts'

const patienceMs = 2_000
const lookEveryMs = 50
/** Looks that come late meet many short locks: only one that is met so often in a row is taken for a long one. */
const fewestLooks = 10

/** What a statement says that passes over a row which somebody else has locked. */
export interface LockAware {
  /** The job is there and in scope. */
  present: boolean
  /** Its row could be locked. */
  held: boolean
}

/**
 * Repeats a statement while somebody else, such as a settle with a long `write`, holds the job's row: for two seconds, without
 * waiting inside the database and without a setting that would outlive the statement in the caller's transaction.
 * @throws JobStateError `JOB_LOCKED`
 */
export async function whenUnlocked<Row extends LockAware>(id: string, attempt: () => Promise<Row | undefined>): Promise<Row | undefined> {
  let lockedSince: number | undefined
  for (let looks = 1; ; looks++) {
    const row = await attempt()
    if (!row?.present || row.held) return row
    lockedSince ??= performance.now()
    if (looks >= fewestLooks && performance.now() - lockedSince > patienceMs) {
      throw new JobStateError('JOB_LOCKED', `Job ${id} is being written by somebody else just now. Try again in a moment.`)
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
