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
 * @throws PermanentError `FOLLOW_UP_LOOP` when the job's own type is among them, or what follows them comes round again by the settings.
 */
export function chooseFollowUps(job: RunningJob, named: readonly string[] | undefined, settings: CollectionSettings): readonly string[] {
  const types = [...new Set(named ?? settings.followUps[job.type] ?? [])]
  const loop = types.includes(job.type) ? [job.type, job.type] : findLoop(types, settings.followUps)
  if (loop === undefined) return types
  throw new PermanentError(
    'FOLLOW_UP_LOOP',
    `The follow-ups of ${job.type} would never end: ${loop.join(' → ')}. Take one of them out of ${named ? 'the payload, or out of ' : ''}followUps in the collection's settings.`,
  )
}

/** The first loop that these types lead into; undefined when all comes to an end. */
function findLoop(types: readonly string[], followUps: CollectionSettings['followUps']): string[] | undefined {
  const ended = new Set<string>()
  const follow = (type: string, before: readonly string[]): string[] | undefined => {
    const path = [...before, type]
    if (before.includes(type)) return path.slice(before.indexOf(type))
    if (ended.has(type)) return undefined
    for (const next of followUps[type] ?? []) {
      const loop = follow(next, path)
      if (loop) return loop
    }
    ended.add(type)
    return undefined
  }
  for (const type of types) {
    const loop = follow(type, [])
    if (loop) return loop
  }
  return undefined
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
