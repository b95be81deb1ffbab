import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@sidelinja/jobs-core'
import type { TestDatabase } from '@sidelinja/jobs-core/testing'
import type { Handler, HandlerContext, HandlerReturn, WriteTransaction } from '@sidelinja/jobs-core/worker'
import type { Arranged } from './conformance.ts'

/** What came of calling a handler. Nothing of its `write` has run yet. */
export type Run = { ended: 'returned'; returned: HandlerReturn } | { ended: 'failed'; error: unknown }

/** Calls a handler as the worker does on a first attempt: payload through the schema, then outside of any transaction. */
export async function runOnce(handler: Handler, arranged: Arranged, signal: AbortSignal = new AbortController().signal): Promise<Run> {
  try {
    const payload = await parsePayload(handler, arranged.payload)
    return { ended: 'returned', returned: (await handler.run(createContext(handler, { ...arranged, payload }, signal))) ?? {} }
  } catch (error) {
    return { ended: 'failed', error }
  }
}

/** Runs `write` in a transaction that commits. @returns what went wrong, in words, or undefined. */
export async function commit(database: TestDatabase, run: Run): Promise<string | undefined> {
  if (run.ended === 'failed') return `the handler failed: ${describeError(run.error)}`
  try {
    await database.db.transaction().execute(async (trx) => run.returned.write?.(trx as unknown as WriteTransaction))
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

async function parsePayload(handler: Handler, payload: JsonValue): Promise<unknown> {
  const checked = await handler.definition.payload['~standard'].validate(structuredClone(payload))
  if (checked.issues)
    throw new Error(`the definition refuses the arranged payload: ${checked.issues.map(({ message }) => message).join('; ')}`)
  return checked.value
}

function createContext(
  handler: Handler,
  { collectionNodeId, payload }: { collectionNodeId: string; payload: unknown },
  signal: AbortSignal,
): HandlerContext<unknown> {
  const { type, maxAttempts, priority } = handler.definition
  const now = new Date()
  const numbers = { attempt: 1, maxAttempts, run: 1, priority }
  return {
    payload,
    job: { id: randomUUID(), type, collectionNodeId, ...numbers, createdAt: now, scheduledFor: now, correlationId: null },
    signal,
    progress: () => {},
    step: (_name, fn) => fn(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  }
}
