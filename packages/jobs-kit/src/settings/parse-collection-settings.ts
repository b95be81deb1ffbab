import { PermanentError } from '@sidelinja/jobs-core'
import { type CollectionSettings, collectionSettings } from './collection-settings.ts'
import { describeIssue } from './describe-issue.ts'

const MAX_PROBLEMS = 5

/**
 * Checks `metadata.jobs` of a collection's node and fills in the defaults. Nothing there (undefined, null) means all defaults.
 * @throws PermanentError `COLLECTION_SETTINGS_INVALID`, which names every wrong key (at most five).
 */
export function parseCollectionSettings(collectionNodeId: string, raw: unknown): CollectionSettings {
  const parsed = collectionSettings.safeParse(raw ?? {}, { reportInput: true })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => describeIssue('metadata.jobs', issue))
  const listed = problems.slice(0, MAX_PROBLEMS).join('; ')
  const more = problems.length > MAX_PROBLEMS ? `; and ${problems.length - MAX_PROBLEMS} more.` : listed.endsWith('?') ? '' : '.'
  throw new PermanentError(
    'COLLECTION_SETTINGS_INVALID',
    `The settings of collection ${collectionNodeId} are wrong: ${listed}${more} Correct its node, then retry the job.`,
  )
}
