import { enqueueByType, PermanentError } from '@sidelinja/jobs-core'
import type { RunningJob, WriteTransaction } from '@sidelinja/jobs-core/worker'
import type { CollectionSettings } from '../settings/collection-settings.ts'

/** What every follow-up of work on a media file is given; each type takes what it knows. */
export type FollowUpPayload = {
  /** The node that the work belongs to. */
  mediaNodeId: string
  /** The file, relative to MEDIA_ROOT; undefined where the job before did not know it. */
  audioPath?: string | undefined
}

/**
 * Which job types follow a job: those its caller named, else those its collection names for its type, else none. Called before the work begins: a loop
 * is found before anything is paid for.
 * @throws PermanentError `FOLLOW_UP_LOOP` when the job's own type is among them.
 */
export function chooseFollowUps(job: RunningJob, named: readonly string[] | undefined, settings: CollectionSettings): readonly string[] {
  const types = [...new Set(named ?? settings.followUps[job.type] ?? [])]
  if (!types.includes(job.type)) return types
  throw new PermanentError(
    'FOLLOW_UP_LOOP',
    `${job.type} is named as a follow-up of itself, which would never end. Take it out of ${named ? 'the payload' : "followUps in the collection's settings"}.`,
  )
}

/**
 * Enqueues them in the job's own transaction, with its priority and correlation. Of each type at most one waits for one media node: a run that is
 * repeated leaves no second one, and one that waits gets the new payload.
 */
export async function enqueueFollowUps(
  trx: WriteTransaction,
  job: RunningJob,
  types: readonly string[],
  payload: FollowUpPayload,
): Promise<void> {
  for (const type of types) {
    await enqueueByType(trx, type, payload, {
      ...{ collectionNodeId: job.collectionNodeId, priority: job.priority, correlationId: job.correlationId ?? job.id },
      unique: { key: `media:${payload.mediaNodeId}`, until: 'claimed', onConflict: 'replace' },
    })
  }
}
