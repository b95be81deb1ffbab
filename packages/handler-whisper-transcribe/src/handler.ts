import { defineHandler } from '@sidelinja/jobs-core/worker'
import { commitTranscript } from './commit-transcript.ts'
import { whisperTranscribe } from './job.ts'
import { type ListeningOptions, STANDARD } from './survey.ts'
import { transcribeAudio } from './transcribe-audio.ts'
import type { Used } from './used.ts'

/**
 * Has an audio file transcribed and stores what was said, with times, in place of the transcript before; then come the follow-ups that caller or
 * collection name, and, where the collection names a repository, a job of this type that commits the transcript as SRT and can fail alone. Enqueued when a
 * file was uploaded or a recording has ended. Every piece of ten minutes is a durable step. Permanent: a path that names no readable audio, a media node that does
 * not exist, a follow-up of itself, and what the transcription server or the repository refuses.
 */
export const createHandler = (
  { media, audio, transcription, collections, transcripts, repository }: Used,
  options: ListeningOptions = STANDARD,
) =>
  defineHandler(
    whisperTranscribe,
    ({ payload, ...context }) =>
      'commitTranscriptOf' in payload
        ? commitTranscript({ collections, transcripts, repository }, { ...context, payload })
        : transcribeAudio({ media, audio, transcription, collections, transcripts }, { ...context, payload }, options),
    { services: ['transcription'] },
  )
