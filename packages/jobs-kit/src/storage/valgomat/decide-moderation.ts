import { QueueError } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What a person decides about a question. */
export interface ModerationDecision {
  readonly questionId: string
  readonly decision: 'accepted' | 'rejected'
  /** `updatedAt` of what the person has seen. */
  readonly seen: Date
  /** The person's own wording; default the suggested one, else the original. */
  readonly wording?: string | undefined
  /** Who decides; where the transaction names a user (`app.user_id`), that one. */
  readonly decidedBy?: string | undefined
}

const refusals: Readonly<Record<string, () => QueueError>> = {
  MODERATION_NOT_FOUND: () =>
    new QueueError('MODERATION_NOT_FOUND', 'There is no such moderated question in the collection that you may see.'),
  MODERATION_FORBIDDEN: () =>
    new QueueError(
      'MODERATION_FORBIDDEN',
      'You may see this question, but not decide about it: that takes an owner or editor of its collection.',
    ),
  MODERATION_CHANGED: () =>
    new QueueError('MODERATION_CHANGED', 'The suggestion was made anew after it was shown. Look at it again, then decide.'),
  MODERATION_DECIDED: () =>
    new QueueError('MODERATION_DECIDED', 'Expected a question that waits, and this one was decided already. Look at it again.'),
  MODERATION_DECIDER_MISSING: () =>
    new QueueError(
      'MODERATION_DECIDER_MISSING',
      'Expected decidedBy or app.user_id to say who decides, got neither: only a person accepts a question.',
    ),
}

/**
 * A person's decision about a question of the collection; the only way in which one is accepted. The question's own node stays as it is.
 * @throws QueueError `MODERATION_NOT_FOUND`, `MODERATION_FORBIDDEN`, `MODERATION_CHANGED`, `MODERATION_DECIDED`, `MODERATION_DECIDER_MISSING`; then nothing was changed.
 */
export async function decideModeration(
  db: StorageDatabase,
  collectionNodeId: string,
  { questionId, decision, seen, wording, decidedBy }: ModerationDecision,
): Promise<void> {
  const { rows } = await sql<{ outcome: string }>`
    select decide_valgomat_question(${collectionNodeId}::uuid, ${questionId}::uuid, ${decision}::text, ${seen}::timestamptz, ${wording ?? null}::text,
      ${decidedBy ?? null}::text) as outcome`.execute(withTables(db))
  const refused = refusals[rows[0]?.outcome ?? '']
  if (refused) throw refused()
}
