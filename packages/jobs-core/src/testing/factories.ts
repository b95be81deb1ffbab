import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { JobQueueTable, NodesTable, QueueDatabase } from '../database/tables.ts'

/** Inserts a node, by default one that can be a collection. Every column may be given. */
export async function insertNode(
  db: Kysely<QueueDatabase>,
  columns: Partial<Insertable<NodesTable>> = {},
): Promise<Selectable<NodesTable>> {
  return db
    .insertInto('nodes')
    .values({ id: randomUUID(), kind: 'collection', title: 'A collection', ...columns })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Inserts a row into job_queue as it is given, past every check of `enqueue`: for tests of odd states. Without
 * `collection_node_id` it gets a collection of its own.
 */
export async function insertJob(
  db: Kysely<QueueDatabase>,
  columns: Partial<Insertable<JobQueueTable>> = {},
): Promise<Selectable<JobQueueTable>> {
  const collectionNodeId = columns.collection_node_id ?? (await insertNode(db)).id
  return db
    .insertInto('job_queue')
    .values({ job_type: 'test_job', payload: '{}', ...columns, collection_node_id: collectionNodeId })
    .returningAll()
    .executeTakeFirstOrThrow()
}
