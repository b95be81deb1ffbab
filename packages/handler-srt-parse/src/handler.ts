import { defineHandler, type RunningJob, type WriteTransaction } from '@sidelinja/jobs-core/worker'
import { chooseFollowUps, enqueueFollowUps, type Services } from '@sidelinja/jobs-kit'
import { lockTranscript, readSegments, replaceSegments, replaceSubtitles } from '@sidelinja/jobs-kit/storage'
import { describeSegments } from './describe-segments.ts'
import { type Payload, type Result, srtParse } from './job.ts'
import { readTranscript, renderFiles, type Transcript } from './read-transcript.ts'

/**
 * Reads SRT or VTT into the medium's transcript, in place of an older one, and makes subtitle files of it: SRT, VTT, text and JSON. As the
 * follow-up of a transcription it gets neither text nor file and makes only the files, of the transcript that is there. Somebody is about to
 * look at the result, but does not wait: priority 5. Permanent: what holds no subtitles or too many, a path that names no readable file, a
 * medium that is gone.
 */
export const createHandler = ({ media, collections }: Pick<Services, 'media' | 'collections'>) =>
  defineHandler(srtParse, async ({ payload, job, signal, progress }) => {
    const settings = await collections.readSettings(job.collectionNodeId)
    const followUps = chooseFollowUps(job, payload.followUps, settings)
    const language = payload.language ?? settings.language
    signal.throwIfAborted()
    progress(0, 'Leser undertekster')
    const transcript = await readTranscript(media, payload, signal)
    return {
      write: async (trx) => {
        const result = await writeTranscript(trx, job, { payload, language, transcript })
        await enqueueFollowUps(trx, job, followUps, { mediaNodeId: payload.mediaNodeId, audioPath: payload.audioPath })
        return { result }
      },
    }
  })

interface Writing {
  readonly payload: Payload
  readonly language: string
  /** Undefined: the one that is there. */
  readonly transcript: Transcript | undefined
}

async function writeTranscript(trx: WriteTransaction, { id: jobId, collectionNodeId }: RunningJob, writing: Writing): Promise<Result> {
  const { mediaNodeId } = writing.payload
  const transcript = writing.transcript ?? (await transcriptThere(trx, collectionNodeId, mediaNodeId))
  const { segments, files, ...read } = transcript
  const language = (writing.transcript ? undefined : segments[0]?.language) ?? writing.language
  if (writing.transcript) await replaceSegments(trx, collectionNodeId, mediaNodeId, { jobId, language, segments })
  await replaceSubtitles(trx, collectionNodeId, mediaNodeId, { jobId, language, files })
  const sizes = Object.fromEntries(files.map(({ format, content }) => [format, content.length]))
  return { ...read, ...describeSegments(segments), files: sizes }
}

/** Read in the transaction that writes, when nobody else writes: the files are those of the newest transcript. */
async function transcriptThere(trx: WriteTransaction, collectionNodeId: string, mediaNodeId: string): Promise<Transcript> {
  await lockTranscript(trx, collectionNodeId, mediaNodeId)
  const segments = await readSegments(trx, collectionNodeId, mediaNodeId)
  return { segments, files: renderFiles(segments), source: 'transcript', empty: 0, format: null, encoding: null, notes: [] }
}
