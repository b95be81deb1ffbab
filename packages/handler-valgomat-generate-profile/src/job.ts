import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z.object({
  /** The party, as it is called: at most 200 characters. */
  party: z.string().trim().min(1).max(200),
  /** The node whose content is the programme, one of the collection's; pages end with a form feed. */
  programmeNodeId: z.guid(),
  /** The statements, nodes of kind `statement` of the collection: at most 200. Default: all that it has. */
  statementNodeIds: z.array(z.guid()).min(1).max(200).optional(),
})

/** What a `valgomat_generate_profile` job is given. */
export type Payload = z.infer<typeof payload>

/** From -2, strongly against, to 2, strongly for. */
export type Stance = -2 | -1 | 0 | 1 | 2

/** Where a party stands on one statement, as its programme says. */
export type ProfileStance = {
  statementNodeId: string
  statement: string
  /** Null: the programme is silent, or says one thing and the other. Never a guess. */
  stance: Stance | null
  /** How sure the model is, 0 … 1; null without a stance. */
  confidence: number | null
  /** What bears it out: word for word on that page, counted from 1. Never empty with a stance. */
  evidence: { page: number; quote: string }[]
  reasoning: string | null
}

/** A synthetic profile: `valgomat_profiles.content`. Text of strangers and of a model: escape it where it is shown. */
export type Profile = {
  /** Says to whom it is shown that no party has answered. */
  label: string
  party: string
  stances: ProfileStance[]
}

/** What a `valgomat_generate_profile` job leaves in `job_queue.result`. */
export type Result = {
  /** The draft; null with a note. */
  profileId: string | null
  /** `no statements`, `no text`: there is nothing to ask about, and nobody was asked. */
  note: 'no statements' | 'no text' | null
  /** What became of it: a `draft` that a person publishes or rejects, or `suggested` beside one that somebody has edited. */
  profile: 'draft' | 'suggested' | null
  statements: number
  /** Of them: with a stance. All others are null. */
  stances: number
  /** Of those without: the programme says one thing on one page and the contrary on another, and what it comes to is not plain. */
  undecided: number
  /** Of the programme; all were read. */
  pages: number
  /** Questions that pages and statements were asked about in. */
  parts: number
  /** What the model said and the programme does not bear out, by kind: `stances`, `evidence`. */
  dropped: Record<string, number>
  /** Entries of the model's lists beyond what a list may have, by list, of all parts: only the first were looked at. */
  cut: Record<string, number>
}

/** Makes a draft of one party's profile. Background work: a person looks at it afterwards. */
export const valgomatGenerateProfile = defineJob({
  ...{ type: 'valgomat_generate_profile', payload, priority: 1, maxAttempts: 3, timeoutMs: 6 * 3_600_000 },
})
