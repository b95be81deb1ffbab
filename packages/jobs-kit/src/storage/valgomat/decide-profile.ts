import { QueueError } from '@sidelinja/jobs-core'
import { sql } from 'kysely'
import { type StorageDatabase, withTables } from '../storage-database.ts'

/** What a person decides about a profile. */
export interface ProfileDecision {
  readonly profileId: string
  /** `publish` and `reject` a draft, `withdraw` what is published. */
  readonly decision: 'publish' | 'reject' | 'withdraw'
  /** Of what the person has seen, as `listProfiles` gives it. */
  readonly fingerprint: string
  /** Who decides; where the transaction names a user (`app.user_id`), that one. */
  readonly decidedBy?: string | undefined
}

const refusals: Readonly<Record<string, () => QueueError>> = {
  PROFILE_NOT_FOUND: () => new QueueError('PROFILE_NOT_FOUND', 'There is no such profile in the collection that you may see.'),
  PROFILE_FORBIDDEN: () =>
    new QueueError(
      'PROFILE_FORBIDDEN',
      'You may see this profile, but not decide about it: that takes an owner or editor of its collection.',
    ),
  PROFILE_CHANGED: () => new QueueError('PROFILE_CHANGED', 'The profile was changed after it was shown. Look at it again, then decide.'),
  PROFILE_DECIDED: () =>
    new QueueError(
      'PROFILE_DECIDED',
      'Expected a draft, or to withdraw one that is published, and the profile is that no more. Look at it again.',
    ),
  PROFILE_LABEL_MISSING: () =>
    new QueueError(
      'PROFILE_LABEL_MISSING',
      'Expected content.label to say that the profile is synthetic and that the party has not answered, got none: somebody has edited it out. Put it back, then publish.',
    ),
  PROFILE_DECIDER_MISSING: () =>
    new QueueError(
      'PROFILE_DECIDER_MISSING',
      'Expected decidedBy or app.user_id to say who decides, got neither, or blanks: only a person publishes a profile.',
    ),
}

/**
 * A person's decision about a profile of the collection; the only way in which one is published. One that was published before of the same programme is `replaced`.
 * @throws QueueError `PROFILE_NOT_FOUND`, `PROFILE_FORBIDDEN`, `PROFILE_CHANGED`, `PROFILE_DECIDED`, `PROFILE_DECIDER_MISSING`, `PROFILE_LABEL_MISSING`; then nothing was changed.
 */
export async function decideProfile(
  db: StorageDatabase,
  collectionNodeId: string,
  { profileId, decision, fingerprint, decidedBy }: ProfileDecision,
): Promise<void> {
  const { rows } = await sql<{ outcome: string }>`
    select decide_valgomat_profile(${profileId}::uuid, ${decision}::text, ${fingerprint}::text, ${decidedBy ?? null}::text, array[${collectionNodeId}::uuid]) as outcome`.execute(
    withTables(db),
  )
  const refused = refusals[rows[0]?.outcome ?? '']
  if (refused) throw refused()
}
