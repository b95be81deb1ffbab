const patienceMs = 2_000
const lookEveryMs = 50
/** Looks that come late meet many short locks: only one that is met so often in a row is taken for a long one. */
const fewestLooks = 10

/**
 * Repeats an action while somebody else, such as a settle with a long `write`, holds the job's row: for two seconds, without waiting inside the
 * database and without a setting that would outlive the statement in the caller's transaction. The last time it is told to give up.
 */
export async function whenUnlocked<Row extends { code: string | null }>(attempt: (giveUp: boolean) => Promise<Row>): Promise<Row> {
  let lockedSince: number | undefined
  for (let looks = 1; ; looks++) {
    const giveUp = looks >= fewestLooks && lockedSince !== undefined && performance.now() - lockedSince > patienceMs
    const row = await attempt(giveUp)
    if (row.code !== 'JOB_LOCKED' || giveUp) return row
    lockedSince ??= performance.now()
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}
