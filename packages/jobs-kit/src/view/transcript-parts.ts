import type { ResultContext, ResultPart } from '@sidelinja/jobs-core/admin'
import { readFirstSegments } from '../storage/transcripts/read-first-segments.ts'
import { readTranscript } from '../storage/transcripts/read-transcript.ts'
import { anotherJob } from './another-job.ts'
import { suspectWords } from './suspect-words.ts'
import { words } from './words.ts'

/** More than a page shows: an hour and a half of talk. */
const mostSegments = 1_000

/** The transcript of a medium as it stands, from its beginning, for who looks at a job that wrote one. Nothing where there is none, or nothing is said. */
export async function transcriptParts({ db, job }: Pick<ResultContext<unknown>, 'db' | 'job'>, mediaNodeId: string): Promise<ResultPart[]> {
  const transcript = await readTranscript(db, job.collectionNodeId, mediaNodeId)
  const { segments, more } = await readFirstSegments(db, job.collectionNodeId, mediaNodeId, mostSegments)
  if (segments.length === 0) return []
  const shown = segments.map(({ suspect, language, ...segment }) => ({
    ...segment,
    doubts: suspect.map((reason) => suspectWords[reason] ?? reason),
  }))
  const language = transcript?.language ?? segments[0]?.language
  return [...anotherJob(job, transcript?.jobId), { kind: 'transcript', title: words.transcript, language, segments: shown, more }]
}
