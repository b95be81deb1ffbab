import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { ResultView } from '../../admin/results/define-result-view.ts'
import type { ResultPart } from '../../admin/results/result-part.ts'
import type { QueueDatabase } from '../../database/tables.ts'
import type { JsonValue } from '../../json/json-value.ts'

/** The finished job that {@link runResultView} shows; it need not be in the database. */
export interface ResultViewOptions {
  /** The database that the view reads, as its owner. */
  db: Kysely<QueueDatabase>
  /** The job's collection. */
  collectionNodeId: string
  /** As it was enqueued. */
  payload: JsonValue
  /** As it is stored. */
  result: JsonValue
  /** Default: one that no row names. */
  jobId?: string
}

/** What a result view makes of a finished job, read in a transaction as the admin page does it. */
export function runResultView(
  view: ResultView,
  { db, collectionNodeId, payload, result, jobId = randomUUID() }: ResultViewOptions,
): Promise<readonly ResultPart[]> {
  const job = { id: jobId, collection_node_id: collectionNodeId, payload, result }
  return db.transaction().execute((trx) => view.read({ db: trx, job, signal: new AbortController().signal }))
}
