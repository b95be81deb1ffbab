import { setImmediate } from 'node:timers/promises'
import { defineHandler, type WriteTransaction } from '@sidelinja/jobs-core/worker'
import { parseSubtitles, renderSubtitles, type Segment, type Services, SUBTITLE_FORMATS, tidySegments } from '@sidelinja/jobs-kit'
import { lockTranscript, readSegments, replaceSegments, replaceSubtitles } from '@sidelinja/jobs-kit/storage'
import { describeSegments } from './describe-segments.ts'
import { type Payload, type Result, srtParse } from './job.ts'
import { readSource, type Source } from './read-source.ts'

/** Files of this transcript. */
type Files = Parameters<typeof replaceSubtitles>[3]['files']

/**
 * Reads SRT or VTT into the medium's transcript, in place of an older one, and makes subtitle files of it: SRT, VTT, text and JSON. As the
 * follow-up of a transcription it gets neither text nor file and makes only the files, of the transcript that is there. Somebody is about to
 * look at the result, but does not wait: priority 5. Permanent: what holds no subtitles or too many, a path that names no readable file, a
 * medium that is gone.
 */
export const createHandler = ({ media, collections }: Pick<Services, 'media' | 'collections'>) =>
  defineHandler(srtParse, async ({ payload, job, signal, progress }) => {
    const { collectionNodeId, id: jobId } = job
    const language = payload.language ?? (await collections.readSettings(collectionNodeId)).language
    signal.throwIfAborted()
    const about = { ...payload, collectionNodeId, jobId, language }
    const source = await readSource(media, payload, signal)
    if (!source) return { write: (trx) => writeFilesAnew(trx, about) }

    progress(0.1, 'Leser undertekster')
    const { segments, ...read } = await readSegmentsOf(source, payload, signal)
    progress(0.5, 'Lager undertekstfiler')
    const files = renderFiles(segments)
    signal.throwIfAborted()
    return {
      result: toResult(segments, files, read),
      write: async (trx) => {
        await replaceSegments(trx, collectionNodeId, payload.mediaNodeId, { jobId, language, segments })
        await replaceSubtitles(trx, collectionNodeId, payload.mediaNodeId, { jobId, language, files })
      },
    }
  })

type About = Pick<Payload, 'mediaNodeId'> & { collectionNodeId: string; jobId: string; language: string }

/** Reads in the transaction that writes, when nobody else writes: the files are those of the newest transcript. */
async function writeFilesAnew(
  trx: WriteTransaction,
  { collectionNodeId, mediaNodeId, jobId, language }: About,
): Promise<{ result: Result }> {
  await lockTranscript(trx, collectionNodeId, mediaNodeId)
  const segments = await readSegments(trx, collectionNodeId, mediaNodeId)
  const files = renderFiles(segments)
  await replaceSubtitles(trx, collectionNodeId, mediaNodeId, { jobId, language: segments[0]?.language ?? language, files })
  return { result: toResult(segments, files, { source: 'transcript', empty: 0, format: null, encoding: null, notes: [] }) }
}

/** Large files take a good part of a second: others have their turn in between. */
async function readSegmentsOf({ kind, content }: Source, { durationMs }: Payload, signal: AbortSignal) {
  const { segments: rough, format, encoding = null, notes } = parseSubtitles(content)
  await setImmediate()
  signal.throwIfAborted()
  const segments = tidySegments(rough, { durationMs })
  await setImmediate()
  signal.throwIfAborted()
  return { segments, source: kind, empty: rough.length - segments.length, format, encoding, notes }
}

function renderFiles(segments: readonly Segment[]): Files {
  return SUBTITLE_FORMATS.map((format) => ({ format, content: renderSubtitles(segments, format) }))
}

function toResult(segments: readonly Segment[], files: Files, read: Omit<Result, 'segments' | 'mended' | 'suspect' | 'files'>): Result {
  return {
    ...read,
    ...describeSegments(segments),
    files: Object.fromEntries(files.map(({ format, content }) => [format, content.length])),
  }
}
