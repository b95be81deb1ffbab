import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const jobType = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, { error: 'expected a job type, like generate_waveform' })

const transcribe = z.object({
  /** The audio, relative to the worker's MEDIA_ROOT: an episode, a meeting, a dictation. A video's sound is taken too. */
  audioPath: z.string().min(1).max(500),
  /** The node that the transcript belongs to. */
  mediaNodeId: z.guid(),
  /** Language of the audio as a tag (`nb`, `nn`, `en`), or `auto`. Default: the collection's. */
  language: z
    .string()
    .regex(/^(auto|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/, { error: 'expected a language tag, like "nb", or "auto"' })
    .optional(),
  /** Job types that are enqueued when the transcript stands, each with `{ mediaNodeId, audioPath }`. Default: the collection's `followUps`. */
  followUps: z.array(jobType).max(10).optional(),
})

const commit = z.object({
  /** The node whose transcript, as it then stands, is committed as SRT to the collection's repository. Enqueued by the transcription itself. */
  commitTranscriptOf: z.guid(),
  /** The file below the repository's folder, without its ending: at most 500 characters, for example `show/ep001`. No name begins with a dot. */
  fileName: z
    .string()
    .max(500)
    .regex(/^(?!\.)[^/\\\0]+(\/(?!\.)[^/\\\0]+)*$/, { error: 'expected a name, like "show/ep001"' }),
})

const payload = z.union([commit, transcribe], { error: sayWhatIsWrong })

/** What a `whisper_transcribe` job is given: audio to transcribe, or a transcript to commit. */
export type Payload = z.infer<typeof payload>
/** A payload that asks for a transcript. */
export type TranscribePayload = z.infer<typeof transcribe>
/** A payload that asks for a commit. */
export type CommitPayload = z.infer<typeof commit>

/** What a transcription leaves in `job_queue.result`. */
export type TranscribeResult = {
  segments: number
  /** Length of the audio as it was decoded. */
  durationMs: number
  /** As a tag, where it is known. */
  language: string | null
  /** `no speech` when nobody speaks: zero segments are right then. */
  note: 'no speech' | null
  /** Calls that this audio took; 0 when it is silent. */
  pieces: number
  /** Calls that went gently on a live room. */
  gentlePieces: number
  /** True when the file ends before its container says it should: the transcript ends there too. */
  cutShort: boolean
  /** Segments that look wrong, by reason; each is kept, and says so itself. */
  suspect: Record<string, number>
}

/** What a commit leaves in `job_queue.result`. */
export type CommitResult = {
  repository: string
  path: string
  outcome: 'created' | 'updated' | 'unchanged'
}

/** What a `whisper_transcribe` job leaves in `job_queue.result`. */
export type Result = TranscribeResult | CommitResult

/**
 * Transcribes one audio file, or commits a finished transcript. Normal work: priority 5; enqueue with 10 when a person waits for a dictation.
 * Four hours a run: longer audio goes on in another run, uncharged.
 */
export const whisperTranscribe = defineJob({ type: 'whisper_transcribe', payload, priority: 5, maxAttempts: 3, timeoutMs: 4 * 3_600_000 })

/** Of the two forms, what is wrong with the one that was meant: a union by itself only says that neither fits. */
function sayWhatIsWrong({ input }: { readonly input?: unknown }): string {
  const meant = typeof input === 'object' && input !== null && 'commitTranscriptOf' in input ? commit : transcribe
  const issues = meant.safeParse(input).error?.issues ?? []
  return issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ')
}
