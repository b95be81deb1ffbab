import { lockNode } from '../host/lock-node.ts'
import type { StorageDatabase } from '../storage-database.ts'
import { mediaNodeMissing } from './media-node-missing.ts'

/**
 * Before any row about a medium: a user's delete of its node takes the node's lock before those of our rows, so we do too.
 * @throws PermanentError `MEDIA_NODE_MISSING` when the node is gone.
 */
export async function lockMediaNode(trx: StorageDatabase, mediaNodeId: string): Promise<void> {
  if (!(await lockNode(trx, mediaNodeId))) throw mediaNodeMissing(mediaNodeId)
}
