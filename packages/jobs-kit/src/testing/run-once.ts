import { runHandler, type TestDatabase } from '@sidelinja/jobs-core/testing'
import type { Handler, HandlerReturn, WriteTransaction } from '@sidelinja/jobs-core/worker'
import type { Arranged } from './conformance.ts'

/** What came of calling a handler. Nothing of its `write` has run yet. */
export type Run = { ended: 'returned'; returned: HandlerReturn } | { ended: 'failed'; error: unknown }

/** Calls a handler as the worker does on a first attempt, and keeps what it returns instead of settling. */
export async function runOnce(handler: Handler, { collectionNodeId, payload, jobId }: Arranged, signal?: AbortSignal): Promise<Run> {
  let returned: HandlerReturn = {}
  const keeping: Handler = {
    definition: handler.definition,
    async run(context) {
      returned = (await handler.run(context)) ?? {}
      return {}
    },
  }
  try {
    await runHandler(keeping, { payload, job: { collectionNodeId, ...(jobId && { id: jobId }) }, ...(signal && { signal }) })
    return { ended: 'returned', returned }
  } catch (error) {
    return { ended: 'failed', error }
  }
}

/** Runs `write` in a transaction that commits; a result that it tells replaces the one returned. @returns what went wrong, in words, or undefined. */
export async function commit(database: TestDatabase, run: Run): Promise<string | undefined> {
  if (run.ended === 'failed') return `the handler failed: ${describeError(run.error)}`
  try {
    const written = await database.db.transaction().execute(async (trx) => run.returned.write?.(trx as unknown as WriteTransaction))
    if (written !== undefined) run.returned.result = written.result
    return undefined
  } catch (error) {
    return `write failed: ${describeError(error)}`
  }
}

/** Runs `write` in a transaction that fails at its end, as when the job was taken away meanwhile. */
export async function rollBack(database: TestDatabase, run: Run): Promise<void> {
  if (run.ended === 'failed') return
  const planned = new Error('planned')
  await database.db
    .transaction()
    .execute(async (trx) => {
      await run.returned.write?.(trx as unknown as WriteTransaction)
      throw planned
    })
    .catch(() => {})
}

/** An error in a few words, whatever was thrown. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  return `${error.name}${code}: ${error.message}`
}
