import { extname } from 'node:path'
import { enqueue } from '@sidelinja/jobs-core'
import type { HandlerContext, HandlerReturn, RunningJob, WriteTransaction } from '@sidelinja/jobs-core/worker'
import { chooseFollowUps, countSuspects, enqueueFollowUps, type Segment, tidySegments } from '@sidelinja/jobs-kit'
import { replaceSegments } from '@sidelinja/jobs-kit/storage'
import { type Heard, hearPieces } from './hear-pieces.ts'
import { type TranscribePayload, type TranscribeResult, whisperTranscribe } from './job.ts'
import { pinFile } from './pin-file.ts'
import { planPieces } from './plan-pieces.ts'
import { type ListeningOptions, survey } from './survey.ts'
import type { Used } from './used.ts'

/** Shorter than any sound that could be a word; servers refuse it. */
const shortestMs = 100

/** Finds the silence, has the rest transcribed piece by piece, and stores the whole at once: until then the transcript of before is seen. */
export async function transcribeAudio(
  { media, audio, transcription, collections, transcripts }: Omit<Used, 'repository'>,
  context: HandlerContext<TranscribePayload>,
  options: ListeningOptions,
): Promise<HandlerReturn> {
  const { payload, job, signal, progress, step } = context
  const settings = await collections.readSettings(job.collectionNodeId)
  const followUps = chooseFollowUps(job, payload.followUps, settings)
  await transcripts.checkMediaNode(payload.mediaNodeId)

  // A file that was replaced, between two attempts or in the middle of one, is another one: nothing of before is used.
  const named = media.resolve(payload.audioPath)
  const file = pinFile(named, await audio.probe(named, signal))
  progress(0, 'Leter etter stillhet')
  const surveyed = await step(`survey ${file.version}`, () => survey(audio, file, options, signal))
  const { decodedMs, silences } = surveyed
  const pieces = decodedMs < shortestMs ? [] : planPieces(surveyed, options.limits)
  const language = payload.language ?? settings.language
  const heard = await hearPieces({ audio, transcription, file, pieces, names: settings.names, language }, context)
  progress(1, 'Lagrer')
  const segments = tidySegments(heard.segments, { durationMs: decodedMs, silences })

  return {
    result: toResult(segments, heard, { ...surveyed, pieces: pieces.length }),
    write: async (trx) => {
      await replaceSegments(trx, job.collectionNodeId, payload.mediaNodeId, { jobId: job.id, language: heard.language, segments })
      await enqueueFollowUps(trx, job, followUps, { mediaNodeId: payload.mediaNodeId, audioPath: payload.audioPath })
      if (settings.forgejo) await enqueueCommit(trx, job, payload)
    },
  }
}

/** The commit is a job of its own: a repository that is down must not cost the transcript. */
async function enqueueCommit(trx: WriteTransaction, job: RunningJob, { mediaNodeId, audioPath }: TranscribePayload): Promise<void> {
  await enqueue(
    trx,
    whisperTranscribe,
    { commitTranscriptOf: mediaNodeId, fileName: toFileName(audioPath) },
    {
      ...{ collectionNodeId: job.collectionNodeId, priority: 1, correlationId: job.correlationId ?? job.id },
      unique: { key: `commit:${mediaNodeId}`, onConflict: 'replace' },
    },
  )
}

/** As the audio, folders included: `ep001.mp3` of two shows are two files. What is hidden there would be hidden, or refused, in the repository. */
function toFileName(audioPath: string): string {
  const names = audioPath.slice(0, audioPath.length - extname(audioPath).length).split('/')
  return names.map((name) => name.replace(/^\.+/, '_')).join('/')
}

function toResult(
  segments: readonly Segment[],
  heard: Heard,
  { decodedMs, cutShort, pieces }: { decodedMs: number; cutShort: boolean; pieces: number },
): TranscribeResult {
  return {
    ...{ segments: segments.length, durationMs: decodedMs, language: heard.language, note: segments.length === 0 ? 'no speech' : null },
    ...{ pieces, gentlePieces: heard.gentlePieces, cutShort, suspect: countSuspects(segments) },
  }
}
