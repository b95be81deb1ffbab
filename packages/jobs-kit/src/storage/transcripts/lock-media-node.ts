import { PermanentError } from '@sidelinja/jobs-core'
import { lockNode } from '../host/lock-node.ts'
import type { StorageDatabase } from '../storage-database.ts'

/**
 * First of all: a user's delete of the node takes its lock before those of our rows, so we do too.
 * @throws PermanentError `MEDIA_NODE_MISSING`
 */
export async function lockMediaNode(trx: StorageDatabase, mediaNodeId: string): Promise<void> {
  if (await lockNode(trx, mediaNodeId)) return
  throw new PermanentError(
    'MEDIA_NODE_MISSING',
    `Expected mediaNodeId to be a node, got ${mediaNodeId}, which does not exist (any more). There is nothing to keep a transcript with; if the id is wrong, enqueue with the right one.`,
  )
}
