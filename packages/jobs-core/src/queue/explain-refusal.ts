import { sqlState } from '../database/sql-state.ts'
import { PermanentError } from '../errors/permanent-error.ts'
import { QueueError } from '../errors/queue-error.ts'

/** What migrations/roles raises: a row of another collection, and a collection for which the caller may not enqueue. */
const foreignRow = 'JQ001'
const foreignCollection = 'JQ002'
const foreignKeyViolation = '23503'

/** Runs an enqueue. A collection that is missing and one of others give the same error. */
export async function enqueueOrRefuse<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw isCollectionRefused(error, 'job_queue') ? collectionNotFound(error) : error
  }
}

/** Whether a row was refused because its collection is missing, or is one for which the caller may not act. */
export function isCollectionRefused(error: unknown, table: string): boolean {
  const state = sqlState(error)
  return state === foreignCollection || (state === foreignKeyViolation && (error as { table?: string }).table === table)
}

function collectionNotFound(cause: unknown): QueueError {
  return new QueueError(
    'COLLECTION_NOT_FOUND',
    'collectionNodeId names no collection for which you may enqueue jobs: there is none of that id, or it is not yours.',
    { cause },
  )
}

/** What `write` threw; what the database refused because it belongs to another collection would be refused again. */
export function explainWriteError(error: unknown): unknown {
  const reason = sqlState(error) === undefined ? (error as { cause?: unknown } | null | undefined)?.cause : error
  const state = sqlState(reason)
  if (state !== foreignRow && state !== foreignCollection) return error
  return new PermanentError(
    'WRITE_OUTSIDE_COLLECTION',
    `write(trx) may only touch what belongs to the job's own collection: ${(reason as Error).message}. Enqueue a job of that collection instead.`,
    { cause: error },
  )
}
