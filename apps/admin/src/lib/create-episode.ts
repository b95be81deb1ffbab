import { whisperTranscribe } from '@sidelinja/handler-whisper-transcribe/job'
import { enqueue } from '@sidelinja/jobs-core'
import type { Transaction } from 'kysely'
import type { HostDatabase } from './db.ts'
import type { EpisodeForm } from './episode-form.ts'

/** Makes the episode's node and asks for its transcript: both exist when the transaction commits, or neither. Returns the job's id. */
export async function createEpisode(trx: Transaction<HostDatabase>, form: EpisodeForm): Promise<string> {
  const { title, audioPath, collectionNodeId, language } = form
  const { id: mediaNodeId } = await trx.insertInto('nodes').values({ kind: 'episode', title }).returning('id').executeTakeFirstOrThrow()
  await trx.insertInto('edges').values({ source_id: collectionNodeId, target_id: mediaNodeId, kind: 'contains' }).execute()
  const job = await enqueue(trx, whisperTranscribe, { audioPath, mediaNodeId, language }, { collectionNodeId })
  return job.id
}
