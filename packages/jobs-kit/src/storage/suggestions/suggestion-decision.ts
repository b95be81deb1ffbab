import { QueueError } from '@sidelinja/jobs-core'

/** What becomes of a suggestion. */
export type SuggestionDecision = 'accepted' | 'rejected'

/** Who decides. */
export interface Decider {
  /** Kept beside the decision; where the transaction names a user (`app.user_id`), that one is. */
  readonly decidedBy?: string | undefined
}

/** Whoever may see a collection need not be one who acts there. */
export function suggestionForbidden(): QueueError {
  return new QueueError(
    'SUGGESTION_FORBIDDEN',
    'You may see this suggestion, but not decide about it: that takes an owner or editor of its collection.',
  )
}
