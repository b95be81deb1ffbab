import { defineJob } from '@sidelinja/jobs-core'
import { z } from 'zod'

const payload = z.object({
  /** The users' questions: nodes of the collection, whose content, else title, is the question. */
  questionNodeIds: z.array(z.guid()).min(1).max(100),
})

/** What a `valgomat_moderation` job is given. */
export type Payload = z.infer<typeof payload>

/** What a `valgomat_moderation` job leaves in `job_queue.result`; the suggestions stand in `valgomat_moderations`. */
export type Result = {
  questions: number
  /** Groups of questions that ask the same, those of one counted too. */
  clusters: number
  /** Questions that a statement of the collection answers for. */
  duplicates: number
  /** Questions with a neutral wording. */
  reworded: number
  /** Wordings that were left out, since they moved the stance or changed what is said. */
  moved: number
  /** Questions that should not be taken. */
  rejected: number
  /** Pairs and questions that the model did not answer for: taken for different, and as they are. */
  undecided: number
  /** Suggestions that were stored; what a person has decided stays. */
  stored: number
}

/** Moderates users' questions: some wait for it. Normal work: priority 5. */
export const valgomatModeration = defineJob({ type: 'valgomat_moderation', payload, priority: 5, maxAttempts: 3, timeoutMs: 60 * 60_000 })
