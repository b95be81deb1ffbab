import type { Transaction } from 'kysely'
import type { QueueDatabase } from '../../database/tables.ts'
import type { JobDefinition } from '../../definition/define-job.ts'
import type { JsonValue } from '../../json/json-value.ts'
import type { Job } from '../get-job.ts'
import type { ResultPart } from './result-part.ts'

/** What a view reads with. */
export interface ResultContext<Payload> {
  /** The transaction of the user who looks: row-level security goes by it, and statements have two seconds. Name the job's collection in each all the same. */
  readonly db: Transaction<QueueDatabase>
  /** The finished job. */
  readonly job: { readonly id: string; readonly collectionNodeId: string }
  readonly payload: Payload
  /** As it is stored: older releases may have stored it in another shape. */
  readonly result: JsonValue
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal
}

/** The job that somebody looks at, and the transaction of whoever looks. */
export interface ResultSession {
  readonly db: Transaction<QueueDatabase>
  readonly job: Pick<Job, 'id' | 'collection_node_id' | 'payload' | 'result'>
  readonly signal: AbortSignal
}

/** Says what a finished job of one type came to, in parts that a page can draw. Make one with {@link defineResultView}. */
export interface ResultView {
  /** The job type. */
  readonly type: string
  /** Reads it. No parts: there is nothing to draw. */
  read(session: ResultSession): Promise<readonly ResultPart[]>
}

/**
 * Defines how results of a job type are shown. `read` is called for finished jobs only, and not for one whose payload does not fit the definition (any more). What it
 * throws is reported to the host, and the page shows the result as data.
 */
export function defineResultView<Input, Payload>(
  definition: JobDefinition<Input, Payload>,
  read: (context: ResultContext<Payload>) => Promise<readonly ResultPart[]> | readonly ResultPart[],
): ResultView {
  return Object.freeze({
    type: definition.type,
    async read({ db, job, signal }) {
      const checked = await definition.payload['~standard'].validate(job.payload)
      if (checked.issues) return []
      return read({ db, job: { id: job.id, collectionNodeId: job.collection_node_id }, payload: checked.value, result: job.result, signal })
    },
  } satisfies ResultView)
}
