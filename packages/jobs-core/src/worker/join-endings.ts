import type { QueueConnection } from '../database/queue-connection.ts'
import { isConnectionLoss } from '../database/sql-state.ts'
import { type EndedRun, type SettledEnding, settleEndings } from '../queue/settle-endings.ts'

const maxBatch = 256

/**
 * Settles one run that did not succeed; undefined when that was not this worker's to settle.
 * @throws what the statement does.
 */
export type SettleEnded = (ended: EndedRun) => Promise<SettledEnding | undefined>

interface Waiting {
  ended: EndedRun
  resolve(settled: SettledEnding | undefined): void
  reject(error: unknown): void
}

/**
 * Runs that end while one statement is under way share the next: where many jobs fail, a commit serves as many as there are slots. The first never waits for others.
 */
export function joinEndings(queue: QueueConnection): SettleEnded {
  let waiting: Waiting[] = []
  let isUnderWay = false

  async function work(): Promise<void> {
    isUnderWay = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      await settleTogether(queue, batch)
    }
    isUnderWay = false
  }

  return (ended) =>
    new Promise((resolve, reject) => {
      waiting.push({ ended, resolve, reject })
      if (!isUnderWay) work()
    })
}

/** Never rejects. */
async function settleTogether(queue: QueueConnection, batch: readonly Waiting[]): Promise<void> {
  try {
    const rows = await settleEndings(
      queue,
      batch.map(({ ended }) => ended),
    )
    const settled = new Map(rows.map((row) => [keyOf(row), row]))
    for (const { ended, resolve } of batch) resolve(settled.get(keyOf(ended)))
  } catch (error) {
    if (batch.length === 1 || isConnectionLoss(error)) for (const { reject } of batch) reject(error)
    // One of them is locked, or cannot be stored: it must not hold up the others.
    else await Promise.all(batch.map((one) => settleTogether(queue, [one])))
  }
}

const keyOf = ({ id, run }: { id: string; run: number }) => `${id} ${run}`
