import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const jobType = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, { error: 'expected a job type, like generate_embeddings' })
const name = z.string().trim().min(1).max(200)

const payload = z.object({
  /** The node of the meeting, one of the collection's: its transcript is read. */
  mediaNodeId: z.guid(),
  /** The day of the meeting, `2026-12-01`. Default: `metadata.meeting.date` of its node; without one no due date is computed. */
  meetingDate: z.iso.date().optional(),
  /** Who was there or was invited: at most 200 names. Default: `metadata.meeting.attendees` of its node. */
  attendees: z.array(name).max(200).optional(),
  /** The recording, relative to the worker's MEDIA_ROOT: at most 500 characters. Not read, but passed on to what follows. */
  audioPath: z.string().min(1).max(500).optional(),
  /** Job types that are enqueued when the minutes stand: at most ten. Default: the collection's `followUps`. */
  followUps: z.array(jobType).max(10).optional(),
})

/** What a `meeting_summarize` job is given. */
export type Payload = z.infer<typeof payload>

/** A segment of the transcript, and what is said there word for word. */
export type Evidence = {
  /** Counted from 1. */
  segment: number
  startMs: number
  quote: string
}

/** What an AI made of a meeting: `meeting_minutes.content`. Text of strangers and of a model: escape it where it is shown. */
export type Minutes = {
  summary: string
  /** As due dates were computed from it. */
  meetingDate: string | null
  decisions: { text: string; evidence: Evidence[] }[]
  actionPoints: {
    text: string
    /** One of the names that were known; null where nobody is named, or nobody who is known. */
    owner: string | null
    /** Computed from `dueText` and the day of the meeting; null where that cannot be done for certain. */
    dueDate: string | null
    /** When it is to be done, in the words that were said. */
    dueText: string | null
    evidence: Evidence[]
  }[]
  openQuestions: { text: string; evidence: Evidence[] }[]
  /** To be looked at: minutes, or those of a part, in another language or form of Norwegian than the meeting, as `nn → nb`. */
  uncertain: { kind: 'language'; text: string }[]
  /** Who is mentioned: names that are known or that somebody says. */
  attendees: string[]
}

/** What a `meeting_summarize` job leaves in `job_queue.result`: never a word of the meeting. */
export type Result = {
  /** `no speech`: the meeting was transcribed, and nothing is said in it. */
  note: 'no speech' | null
  /** What became of the minutes: `suggested` beside those that somebody has edited; null without any. */
  minutes: 'stored' | 'suggested' | null
  decisions: number
  actionPoints: number
  openQuestions: number
  /** Of the transcript: all were read. */
  segments: number
  /** Parts that the transcript was read in. */
  parts: number
  /** What the model said and the transcript does not bear out, by kind: `decisions`, `action_points`, `open_questions`, `evidence`, `owners`, `due_texts`, `due_dates`, `attendees`. */
  dropped: Record<string, number>
  /** How much there is to look at. */
  uncertain: number
  /** Points that said the same as another one, and stand with it. */
  folded: number
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Takes the minutes of one meeting. */
export const meetingSummarize = defineJob({ type: 'meeting_summarize', payload, priority: 5, maxAttempts: 3, timeoutMs: 2 * 3_600_000 })
