import type { Queryable } from '../database/queryable.ts'
import type { JobDefinition } from '../definition/define-job.ts'
import { enqueueJob } from '../queue/enqueue-job.ts'
import type { EnqueueOptions, EnqueueResult } from './options.ts'
import { prepareByType, prepareJob } from './prepare.ts'

/**
 * Puts a job into the queue, inside the caller's transaction when `db` is one: the job exists exactly if that transaction commits.
 *
 * ```ts
 * await db.transaction().execute(async (trx) => {
 *   const episode = await insertEpisode(trx, form)
 *   await enqueue(trx, whisperTranscribe, { audioPath: episode.path }, { collectionNodeId: episode.collectionId, priority: 10 })
 * })
 * ```
 *
 * @param db a Kysely instance or transaction, or a `pg` client or pool.
 * @throws InvalidPayloadError before any SQL, when the payload does not fit the schema (`PAYLOAD_INVALID`), cannot be stored
 * (`PAYLOAD_NOT_JSON`, `PAYLOAD_TOO_LARGE`) or an option is wrong (`OPTION_INVALID`). The transaction stays usable.
 * @throws QueueError `COLLECTION_NOT_FOUND`
 */
export async function enqueue<Input>(
  db: Queryable,
  definition: JobDefinition<Input, unknown>,
  payload: Input,
  options: EnqueueOptions,
): Promise<EnqueueResult> {
  return enqueueJob(db, await prepareJob(definition, payload, options))
}

/**
 * As {@link enqueue}, naming the type without importing its package: for follow-up jobs. The payload's shape is checked by the
 * handler that receives it.
 * @throws InvalidPayloadError `JOB_TYPE_INVALID`, `PAYLOAD_NOT_JSON`, `PAYLOAD_TOO_LARGE`, `OPTION_INVALID`
 */
export async function enqueueByType(db: Queryable, type: string, payload: unknown, options: EnqueueOptions): Promise<EnqueueResult> {
  return enqueueJob(db, prepareByType(type, payload, options))
}
