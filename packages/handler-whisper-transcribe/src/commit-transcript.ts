import { PermanentError } from '@sidelinja/jobs-core'
import type { HandlerContext, HandlerReturn } from '@sidelinja/jobs-core/worker'
import { renderSubtitles } from '@sidelinja/jobs-kit'
import type { CommitPayload, CommitResult } from './job.ts'
import type { Used } from './used.ts'

/** Commits a transcript, as it stands now, to the collection's repository. Again and again comes to the same. */
export async function commitTranscript(
  { collections, transcripts, repository }: Pick<Used, 'collections' | 'transcripts' | 'repository'>,
  { payload, job, signal }: HandlerContext<CommitPayload>,
): Promise<HandlerReturn> {
  const { forgejo } = await collections.readSettings(job.collectionNodeId)
  if (forgejo === undefined) {
    throw new PermanentError(
      'REPOSITORY_NOT_NAMED',
      `Collection ${job.collectionNodeId} names no repository (any more). Set forgejo.repository in its settings and retry the job, or cancel it.`,
    )
  }
  const segments = await transcripts.read(job.collectionNodeId, payload.commitTranscriptOf)
  const path = [forgejo.folder, `${payload.fileName}.srt`].filter(Boolean).join('/')
  const { outcome } = await repository.putFile(
    {
      ...{ repository: forgejo.repository, branch: forgejo.branch, path },
      ...{ content: renderSubtitles(segments, 'srt'), message: `Undertekster til ${payload.fileName}` },
    },
    signal,
  )
  const result: CommitResult = { repository: forgejo.repository, path, outcome }
  return { result }
}
