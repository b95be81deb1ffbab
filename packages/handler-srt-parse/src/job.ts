import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const jobType = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, { error: 'expected a job type, like generate_embeddings' })

const payload = z
  .object({
    /** The node of the episode, meeting or dictation. */
    mediaNodeId: z.guid(),
    /** SRT or VTT: at most 60,000 characters. */
    text: z.string().max(60_000).optional(),
    /** An SRT or VTT file, relative to the worker's MEDIA_ROOT: at most 500 characters, for example `show/ep001.srt`. */
    path: z.string().min(1).max(500).optional(),
    /** Language tag of what is said, such as `nn`: at most 35 characters. Default: the collection's. */
    language: z
      .string()
      .max(35)
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$/, { error: 'expected a language tag, like "nb", "nn" or "en"' })
      .optional(),
    /** Length of the recording, in milliseconds: what comes after it is flagged. Default: not known. */
    durationMs: z.int().positive().max(2_147_483_647).optional(),
    /** Job types that are enqueued when files and transcript stand: at most ten. Default: the collection's `followUps`. */
    followUps: z.array(jobType).max(10).optional(),
    /** The recording, relative to the worker's MEDIA_ROOT: at most 500 characters. Not read, but passed on to those. */
    audioPath: z.string().min(1).max(500).optional(),
  })
  .refine(({ text, path }) => text === undefined || path === undefined, { error: 'expected text or path, not both' })

/** What an `srt_parse` job is given. Without `text` and `path` only the files are made anew, of the transcript that is there. */
export type Payload = z.infer<typeof payload>

/** What an `srt_parse` job leaves in `job_queue.result`: never a word of the text. */
export type Result = {
  /** Where the segments come from. */
  source: 'text' | 'file' | 'transcript'
  segments: number
  /** Cues without any text, which were left out. */
  empty: number
  /** Segments that were changed: what they were stands in `transcription_segments.raw`. */
  mended: number
  /** How many segments are suspect, by reason; docs of each in the README. */
  suspect: Record<string, number>
  /** What was read; null for a transcript that was there. */
  format: 'srt' | 'vtt' | null
  /** How the file's bytes were read: `utf-8`, `utf-16le`, `utf-16be` or `windows-1252`; null when there were none. */
  encoding: string | null
  /** What was met besides cues and is no part of the transcript: `before_first_cue`, `comments`, `cut_off`. */
  notes: string[]
  /** Characters of each file that was made, by format. */
  files: Record<string, number>
}

/** Reads subtitles into a searchable transcript, and makes subtitle files of it. */
export const srtParse = defineJob({ type: 'srt_parse', payload, priority: 5, maxAttempts: 3, timeoutMs: 10 * 60_000 })
