import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z
  .object({
    /** The node of the dictation, one of the collection's: its transcript is read. */
    mediaNodeId: z.guid().optional(),
    /** Instead: the dictated text itself, at most 60,000 characters. */
    text: z
      .string()
      .max(60_000)
      .regex(/[\p{L}\p{N}]/u, { error: 'expected some text' })
      .optional(),
  })
  .refine(({ mediaNodeId, text }) => (mediaNodeId === undefined) !== (text === undefined), {
    error: 'expected mediaNodeId or text, and not both',
  })

/** What a `dictation_cleanup` job is given. */
export type Payload = z.infer<typeof payload>

/**
 * Something to look at in the note. The worker compares it with what was dictated: a number, name, weekday or month that is gone or new (`lost_number`, `new_number`, `lost_name`,
 * `new_name`, `lost_day`, `new_day`), numbers that changed places (`moved_number`), more or fewer words that say no (`negation`), a part that
 * became much shorter or longer (`length`), another language or form of Norwegian (`language`), so many others (`more`). `unclear`: the model doubts these words, for the reason.
 */
export type Uncertain = {
  kind:
    | 'lost_number'
    | 'new_number'
    | 'lost_name'
    | 'new_name'
    | 'lost_day'
    | 'new_day'
    | 'moved_number'
    | 'negation'
    | 'length'
    | 'language'
    | 'unclear'
    | 'more'
  text: string
  reason?: string
}

/** What an AI made of a dictation: `metadata.dictation` of the note. Text of strangers and of a model: escape it where it is shown. */
export type Dictation = {
  /** The node that was dictated; null where the text came with the job. */
  of: string | null
  /** At most 200. */
  uncertain: Uncertain[]
  actionPoints: { text: string; quote: string }[]
  /** What was dictated, word for word, where the note is no other wording of it: `uncertain` tells of `length` or `language`. */
  original?: string
  /** A language tag; null where nothing says it. */
  language: string | null
  jobId: string
  /** The model's alias. */
  model: string
  promptVersion: string
  /** A fingerprint of title and content as the job left them: where they differ, somebody has edited them. */
  written: string
  /** The same of the suggestion: where they are that, a person has taken it over, and no one has edited them. */
  suggested?: string
  /** What a job made of it after somebody had edited title or content. */
  suggestion?: Omit<Dictation, 'written' | 'suggested' | 'suggestion'> & { title: string; content: string }
}

/** What a `dictation_cleanup` job leaves in `job_queue.result`: never a word of the dictation. */
export type Result = {
  /** The node; null where none was made. */
  nodeId: string | null
  /** `no speech`: nothing was dictated, and nobody was asked. */
  note: 'no speech' | null
  /** What became of it: `stored`, or `suggested` beside one that somebody has edited; null without any. */
  stored: 'stored' | 'suggested' | null
  actionPoints: number
  /** How much there is to look at. */
  uncertain: number
  /** True where the note is no other wording of what was dictated: that stands beside it. */
  unlike: boolean
  /** Parts that the text was read in. */
  parts: number
  /** What the model said and the dictation does not bear out, by kind: `action_points`, `uncertain`. */
  dropped: Record<string, number>
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Makes a note of one dictation; somebody waits for it. */
export const dictationCleanup = defineJob({ type: 'dictation_cleanup', payload, priority: 10, maxAttempts: 3, timeoutMs: 30 * 60_000 })
