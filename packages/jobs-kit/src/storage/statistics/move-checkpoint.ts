import { TransientError } from '@sidelinja/jobs-core'
import type { StorageDatabase } from '../storage-database.ts'
import type { LogCheckpoint } from './checkpoint.ts'
import { insertCheckpoint } from './insert-checkpoint.ts'
import { updateCheckpoint } from './update-checkpoint.ts'

/** From where a run found a log's checkpoint (undefined: there was none) to where it leaves it (undefined: it found no line). */
export interface CheckpointMove {
  readonly from: LogCheckpoint | undefined
  readonly to: LogCheckpoint | undefined
}

/**
 * Compare and set: of several runs that began at the same place one moves the checkpoint, the others write nothing.
 * @throws TransientError `CHECKPOINT_MOVED` when another run was first.
 */
export async function moveCheckpoint(trx: StorageDatabase, collectionNodeId: string, { from, to }: CheckpointMove): Promise<void> {
  if (to === undefined) return
  const moved = from ? await updateCheckpoint(trx, collectionNodeId, { from, to }) : await insertCheckpoint(trx, collectionNodeId, to)
  if (moved) return
  throw new TransientError(
    'CHECKPOINT_MOVED',
    `Expected the checkpoint of ${JSON.stringify(to.path)} at byte ${from?.byteOffset ?? 0}, but another run has moved it. Nothing was written; the next attempt goes on from there.`,
  )
}
